import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { type Documents, SESSION_IDLE_MS, SESSIONS, type State } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { endedError, endedRights, RIGHT_COLLECTIONS, type Right } from './right.ts';

/** Interval at which rights of answers in progress are checked: another process may have ended one. */
export const RIGHTS_CHECK_MS = 500;
/** While the state does not answer, a right is assumed valid for this long after the last answer. */
export const UNANSWERED_MS = 60_000;
/** Customers checked at a time. */
const CHECKED_AT_ONCE = 16;

interface RightsOptions {
  /** Unix ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'debug'>;
  readonly checkMs?: number;
}

interface HeldRight extends Right {
  /** Unix ms. */
  readonly endsAt: number;
  readonly end: () => void;
}

/** The rights of long answers. One per process, shared by all its listeners. */
export interface HeldRights {
  /** Calls `end` once, as soon as the right is found to have ended. The returned function cancels that. */
  hold(right: Right, end: () => void): () => void;
  /** If the right has ended, throws the error that its next request would get. Rejects with `StateUnavailable`. */
  demand(right: Right): Promise<void>;
  stop(): void;
}

/**
 * Wraps a state: a write that ends a right ends the answers that depend on it, before the writer is answered. Writes of
 * other processes are found by periodic checks. Also returns the rights.
 */
export function watchRights(
  state: State,
  options: RightsOptions,
): { readonly state: State; readonly rights: HeldRights } {
  const { documents } = state;
  const rights = new CheckedRights(documents, options);
  // Named one by one, because the state's own object need not list its methods.
  const watched: Documents = {
    get: (ref) => documents.get(ref),
    list: (scope, collection) => documents.list(scope, collection),
    ids: (scope, collection) => documents.ids(scope, collection),
    claimed: (name) => documents.claimed(name),
    pending: (ref) => documents.pending(ref),
    clearPending: (ref, entryIds) => documents.clearPending(ref, entryIds),
    withPending: (limit) => documents.withPending(limit),
    write: async (scope, writes, claims) => {
      const outcome = await documents.write(scope, writes, claims);
      if (writes.some(({ collection }) => RIGHT_COLLECTIONS.has(collection))) await rights.check(scope);
      return outcome;
    },
  };
  return { state: { ...state, documents: watched }, rights };
}

class CheckedRights implements HeldRights {
  readonly #documents: Pick<Documents, 'get'>;
  readonly #options: RightsOptions;
  /** By customer; customers without any are absent. */
  readonly #held = new Map<string, Set<HeldRight>>();
  /** When the state last answered, by customer, Unix ms. */
  readonly #answeredAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(documents: Pick<Documents, 'get'>, options: RightsOptions) {
    this.#documents = documents;
    this.#options = options;
  }

  hold(right: Right, end: () => void): () => void {
    const { customerId, collection } = right;
    const now = this.#options.now();
    // An answer in progress does not keep its session open.
    const endsAt = collection === SESSIONS ? now + SESSION_IDLE_MS : Number.POSITIVE_INFINITY;
    const held: HeldRight = { ...right, endsAt, end };
    const own = this.#held.get(customerId) ?? new Set();
    if (own.size === 0) this.#answeredAt.set(customerId, now);
    this.#held.set(customerId, own.add(held));
    const { checkMs = RIGHTS_CHECK_MS } = this.#options;
    this.#timer ??= setInterval(() => void this.#checkAll(), checkMs).unref();
    return () => this.#release(held);
  }

  async demand(right: Right): Promise<void> {
    const ended = await endedRights(this.#documents, right.customerId, [right], this.#options.now());
    if (ended.length > 0) throw endedError(right);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Ends a customer's answers whose rights have ended. Does not reject: what cannot be checked now is checked again.
   */
  async check(customerId: string): Promise<void> {
    const own = this.#held.get(customerId);
    if (own === undefined) return;
    const now = this.#options.now();
    try {
      // Without duplicates: most of a customer's streams share one key or session.
      const asked = [...new Map([...own].map((held) => [`${held.collection}/${held.id}`, held])).values()];
      const ended = await endedRights(this.#documents, customerId, asked, now);
      this.#answeredAt.set(customerId, now);
      const isEnded = (held: HeldRight): boolean =>
        held.endsAt <= now ||
        ended.some(({ collection, id }) => collection === held.collection && id === held.id);
      for (const held of own) if (isEnded(held)) this.#end(held);
    } catch (err) {
      this.#options.logger.debug({ err }, 'failed to recheck access; retrying');
      if (now - (this.#answeredAt.get(customerId) ?? now) >= UNANSWERED_MS)
        for (const held of own) this.#end(held);
    }
  }

  async #checkAll(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    await mapConcurrent([...this.#held.keys()], CHECKED_AT_ONCE, (customerId) => this.check(customerId));
    this.#isChecking = false;
  }

  #end(held: HeldRight): void {
    this.#release(held);
    held.end();
  }

  #release(held: HeldRight): void {
    const own = this.#held.get(held.customerId);
    own?.delete(held);
    if (own?.size !== 0) return;
    this.#held.delete(held.customerId);
    this.#answeredAt.delete(held.customerId);
    if (this.#held.size === 0) this.stop();
  }
}
