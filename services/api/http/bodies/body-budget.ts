import { Refusal } from '#platform/flow/refusal.ts';

/**
 * Memory per byte of a body: the bytes, what is parsed from them, and the sealed record made from that. All three exist
 * until the answer was sent.
 */
export const MEMORY_PER_BYTE = 3;
/** Memory of a parsed value beyond its text: an object, a list element, or a name. */
export const MEMORY_PER_VALUE = 100;

const RETRY_SECONDS = 1;

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
  const holdings = new Holdings(budgetBytes);
  return { heldBytes: () => holdings.total, open: (owner) => new Holding(holdings, owner) };
}

/** What all owners hold together, and each of them. */
class Holdings {
  total = 0;
  readonly #budgetBytes: number;
  readonly #held = new Map<string, number>();

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  take(owner: string, bytes: number): void {
    const wanted = (this.#held.get(owner) ?? 0) + bytes;
    if (wanted > this.#budgetBytes - this.total - bytes) throw busy(wanted === bytes);
    this.#set(owner, wanted, bytes);
  }

  giveBack(owner: string, bytes: number): void {
    this.#set(owner, (this.#held.get(owner) ?? 0) - bytes, -bytes);
  }

  #set(owner: string, mine: number, change: number): void {
    this.total += change;
    if (mine < 0 || this.total < 0) throw new Error('more of the body budget was released than was taken');
    if (mine === 0) this.#held.delete(owner);
    else this.#held.set(owner, mine);
  }
}

/** One per request, so its methods are shared. */
class Holding implements HeldBody {
  readonly #holdings: Holdings;
  readonly #owner: string;
  #mine = 0;
  #users = 1;

  constructor(holdings: Holdings, owner: string) {
    this.#holdings = holdings;
    this.#owner = owner;
  }

  take(bytes: number): void {
    // The client disconnected while its request was being checked: nobody is left to release anything.
    if (this.#users === 0) return;
    this.#holdings.take(this.#owner, bytes);
    this.#mine += bytes;
  }

  begin(): void {
    this.#users += 1;
  }

  end(): void {
    if (this.#users === 0) throw new Error('a body was released twice');
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#holdings.giveBack(this.#owner, this.#mine);
    this.#mine = 0;
  }
}

/** `isFirst`: the customer has no other body in flight. */
const busy = (isFirst: boolean): Refusal =>
  new Refusal('BODIES_BUSY', {
    retryAfterSeconds: RETRY_SECONDS,
    ...(isFirst
      ? {}
      : {
          message:
            'Your requests in progress use all the memory allowed to you. Send fewer or smaller requests at once, and try this one again later.',
        }),
  });
