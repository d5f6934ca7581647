/** Releases a permit; further calls do nothing. */
type Release = () => void;

interface Caller {
  readonly key?: string;
  /** Maximum number held at once under the key, from this caller's point of view; by default the semaphore's. */
  readonly permitsOfKey?: number;
  readonly signal?: AbortSignal;
  /** By the semaphore's clock, ms. */
  readonly until?: number;
}

interface SemaphoreOptions {
  /** Maximum number held at once, over all keys. */
  readonly permits: number;
  /** Maximum number held at once under one key; by default all permits. */
  readonly permitsPerKey?: number;
  /** Throws if a caller may not wait, given how many wait under its key and in total. Default: any number may. */
  readonly mayWait?: (waiting: { readonly ofKey: number; readonly all: number }) => void;
  /**
   * How many may wait in total. Beyond it, the newest waiter of the longest queue is rejected with `refusal`: the
   * caller itself, unless another key has more waiters. Default: any number may.
   */
  readonly room?: { readonly waiting: number; readonly refusal: () => Error };
  /** Monotonic, ms. */
  readonly clock?: () => number;
}

interface Waiter {
  readonly permitsOfKey: number;
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Permits for expensive work. First come, first served under one key. Between keys, the one that holds the smallest
 * share of its permits goes first, and round robin among equals: however much some keys ask for, one that holds nothing
 * waits only for the next release and for others that hold nothing. Keeps an entry for each key with permits or
 * waiters.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #permitsPerKey: number;
  readonly #clock: () => number;
  readonly #held = new Map<string, number>();
  /** In round-robin order: a served key goes to the end. Queues are never empty. */
  readonly #queues = new Map<string, Set<Waiter>>();
  #allHeld = 0;
  #allWaiting = 0;

  constructor(options: SemaphoreOptions) {
    const { permits, permitsPerKey = permits, clock = () => performance.now() } = options;
    if (!(permits >= 1 && permitsPerKey >= 1)) throw new RangeError('a semaphore needs at least one permit');
    this.#options = options;
    this.#permitsPerKey = permitsPerKey;
    this.#clock = clock;
  }

  /** Acquires a permit if one is free and no caller is waiting under its key; otherwise returns null. */
  tryAcquire(key = '', permitsOfKey = this.#permitsPerKey): Release | null {
    const isFree = this.#allHeld < this.#options.permits && this.#partHeld(key, permitsOfKey) < 1;
    return isFree && !this.#queues.has(key) ? this.#take(key) : null;
  }

  /**
   * Resolves to the release function of a permit, or to null if none was free before `until`. A waiting caller is
   * rejected with the signal's reason when it is aborted, with what `mayWait` throws, or for lack of `room`.
   */
  async acquire(caller: Caller = {}): Promise<Release | null> {
    const { key = '', permitsOfKey = this.#permitsPerKey, signal, until = Infinity } = caller;
    if (until <= this.#clock()) return null;
    const release = this.tryAcquire(key, permitsOfKey);
    if (release !== null) return release;
    signal?.throwIfAborted();
    this.#options.mayWait?.({ ofKey: this.#queues.get(key)?.size ?? 0, all: this.#allWaiting });
    this.#makeRoom(key);
    return this.#wait(key, permitsOfKey, until, signal);
  }

  #wait(
    key: string,
    permitsOfKey: number,
    until: number,
    signal: AbortSignal | undefined,
  ): Promise<Release | null> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#leave(key, waiter);
      };
      const waiter: Waiter = {
        permitsOfKey,
        start: () => {
          leave();
          resolve(this.#take(key));
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      const onAbort = (): void => waiter.refuse(signal?.reason);
      const onLate = (): void => {
        leave();
        resolve(null);
      };
      const timer = until === Infinity ? undefined : setTimeout(onLate, Math.max(0, until - this.#clock()));
      signal?.addEventListener('abort', onAbort, { once: true });
      const queue = this.#queues.get(key) ?? new Set<Waiter>();
      queue.add(waiter);
      this.#queues.set(key, queue);
      this.#allWaiting += 1;
    });
  }

  #makeRoom(key: string): void {
    const { room } = this.#options;
    if (room === undefined || this.#allWaiting < room.waiting) return;
    let longest: Set<Waiter> | null = null;
    let most = (this.#queues.get(key)?.size ?? 0) + 1;
    for (const queue of this.#queues.values()) {
      if (queue.size <= most) continue;
      longest = queue;
      most = queue.size;
    }
    const newest = longest === null ? undefined : [...longest].at(-1);
    if (newest === undefined) throw room.refusal();
    newest.refuse(room.refusal());
  }

  #partHeld(key: string, permitsOfKey: number): number {
    return (this.#held.get(key) ?? 0) / permitsOfKey;
  }

  #take(key: string): Release {
    this.#allHeld += 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#allHeld -= 1;
      const left = (this.#held.get(key) ?? 0) - 1;
      if (left > 0) this.#held.set(key, left);
      else this.#held.delete(key);
      this.#beginNext();
    };
  }

  #beginNext(): void {
    if (this.#allHeld >= this.#options.permits) return;
    let next: { readonly key: string; readonly waiter: Waiter } | null = null;
    let smallest = 1;
    for (const [key, queue] of this.#queues) {
      const [waiter] = queue;
      if (waiter === undefined) throw new Error('the semaphore queue is empty');
      const part = this.#partHeld(key, waiter.permitsOfKey);
      if (part >= smallest) continue;
      next = { key, waiter };
      smallest = part;
      if (part === 0) break;
    }
    if (next === null) return;
    next.waiter.start();
    this.#moveToEnd(next.key);
  }

  #moveToEnd(key: string): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    this.#queues.delete(key);
    this.#queues.set(key, queue);
  }

  #leave(key: string, waiter: Waiter): void {
    const queue = this.#queues.get(key);
    if (queue?.delete(waiter) !== true)
      throw new Error('a caller that is not waiting cannot leave the semaphore');
    this.#allWaiting -= 1;
    if (queue.size === 0) this.#queues.delete(key);
  }
}
