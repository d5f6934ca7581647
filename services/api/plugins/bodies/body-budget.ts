import { ApiError } from '../../errors.ts';

/**
 * Memory per byte of a body: the bytes, what is parsed from them, and the sealed record made from that. All three exist
 * until the answer was sent.
 */
export const MEMORY_PER_BYTE = 3;
/** Memory of a parsed value beyond its text: an object, a list element, or a name. */
export const MEMORY_PER_VALUE = 100;

const RETRY_SECONDS = '1';

/** What one request holds of the budget. */
export interface HeldBody {
  /** Holds this much more; when there is no room it throws BODIES_BUSY and keeps what it held. */
  take(memoryBytes: number): void;
  /** Adds a user of the body: its memory is released when all have ended. */
  begin(): void;
  end(): void;
}

export interface BodyBudget {
  /** An empty holding for a request of this customer (or, without one, address), with one user: the caller. */
  open(owner: string): HeldBody;
  /** Held in total. */
  heldBytes(): number;
}

/**
 * A memory budget for all bodies in flight. A customer may hold as much as it leaves free: alone half of the budget,
 * beside n others that take all they can an equal part, and the next one still finds as much. So neither many requests
 * of one customer nor a few customers together keep out the bodies of others.
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
          // The client disconnected while its request was being checked: nobody is left to release anything.
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

/** `isFirst`: the customer has no other body in flight. */
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
