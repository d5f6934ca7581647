import { Refusal } from '#platform/flow/refusal.ts';

/**
 * Memory per byte of a body: the bytes, the value parsed from them, and the sealed record made from that. All three
 * exist until the answer is sent.
 */
export const MEMORY_PER_BYTE = 3;
/** Memory of each parsed value (object, list element or name) beyond its text. */
export const MEMORY_PER_VALUE = 100;

const RETRY_SECONDS = 1;

/** One request's share of the budget. */
export interface HeldBody {
  /** Takes this much more. If there is no room it throws BODIES_BUSY and keeps what it has. */
  take(memoryBytes: number): void;
  /** Adds a user of the body. Its memory is released when all users have ended. */
  begin(): void;
  end(): void;
}

export interface BodyBudget {
  /**
   * An empty share for a request of this customer (or address, without a customer), with the caller as its one user.
   */
  open(owner: string): HeldBody;
  /** Total over all requests. */
  heldBytes(): number;
}

/**
 * A memory budget for all bodies in flight. A customer may hold as much as it leaves free: half of the budget when
 * alone, or an equal part with n others that take all they can, and the next customer can still take as much. So
 * neither many requests of one customer nor a few customers together keep out others' bodies.
 */
export function createBodyBudget(budgetBytes: number): BodyBudget {
  const holdings = new Holdings(budgetBytes);
  return { heldBytes: () => holdings.total, open: (owner) => new Holding(holdings, owner) };
}

/** Bytes in use, in total and per owner. */
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

/** A class, to share its methods: there is one instance per request. */
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
    // The client disconnected while its request was being checked, so no user is left to release the memory.
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
