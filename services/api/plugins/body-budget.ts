import { ApiError } from '../errors.ts';

/**
 * What a body takes in memory, for each of its bytes: the bytes, what is parsed of them, and the sealed record that is
 * made of that. All three are there until the answer was sent.
 */
export const MEMORY_PER_BYTE = 3;
/** What a parsed value takes beside its text: an object, an entry of a list, or a name. */
export const MEMORY_PER_VALUE = 100;

const RETRY_SECONDS = '1';

/** What one request holds of the budget. */
export interface HeldBody {
  /** Holds so much more; throws BODIES_BUSY, and holds what it held, when it may not. */
  take(memoryBytes: number): void;
  /** One more uses the body: it is given back when all have ended. */
  begin(): void;
  end(): void;
}

export interface BodyBudget {
  /** Nothing yet, for a request of this customer (or, without one, address), with one user: whoever opens it. */
  open(owner: string): HeldBody;
  /** Held by everybody. */
  heldBytes(): number;
}

/**
 * A budget of memory for all bodies under way. A customer may hold as much as it leaves free: alone half of the budget,
 * beside n others that take all they can get an equal part, and whoever comes next still finds one. So no number of
 * requests of one customer, and no few customers together, keep the bodies of the others out.
 */
export function createBodyBudget(budgetBytes: number): BodyBudget {
  const held = new Map<string, number>();
  let total = 0;
  const change = (owner: string, bytes: number): void => {
    const mine = (held.get(owner) ?? 0) + bytes;
    total += bytes;
    if (mine < 0 || total < 0) throw new Error('more of the budget for bodies was given back than was taken');
    if (mine === 0) held.delete(owner);
    else held.set(owner, mine);
  };
  return {
    heldBytes: () => total,
    open(owner) {
      let mine = 0;
      let users = 1;
      return {
        take(bytes) {
          // The client went away while its request was looked at: nobody is left to give anything back.
          if (users === 0) return;
          const wanted = (held.get(owner) ?? 0) + bytes;
          if (wanted > budgetBytes - total - bytes) throw busy(wanted === bytes);
          change(owner, bytes);
          mine += bytes;
        },
        begin() {
          users += 1;
        },
        end() {
          if (users === 0) throw new Error('a body was given back twice');
          users -= 1;
          if (users > 0) return;
          change(owner, -mine);
          mine = 0;
        },
      };
    },
  };
}

/** `isFirst`: nothing else of the customer is under way. */
const busy = (isFirst: boolean): ApiError =>
  new ApiError('BODIES_BUSY', {
    headers: { 'retry-after': RETRY_SECONDS },
    ...(isFirst
      ? {}
      : {
          message:
            'Your requests under way hold as much memory as they may; send fewer at a time, or smaller ones, and repeat this one later',
        }),
  });
