import type { LedgerPosition, ResetReason } from '#schemas/api/stream.ts';

/** A signal of a ledger, as the event for all followers. */
interface FollowedSignal {
  readonly position: LedgerPosition;
  readonly frame: Buffer;
}

/** A customer's stored ledger. */
export interface LedgerSource {
  /** The last entry; index -1: none. */
  last(): Promise<LedgerPosition>;
  /** The epoch of an entry; null: no such entry. */
  epochOf(index: number): Promise<number | null>;
  /** Whether a range has more than this many signals. `after` is exclusive, `upTo` inclusive. */
  hasMore(range: { readonly after: number; readonly upTo: number }, than: number): Promise<boolean>;
  /** The first `limit` signals of a range, by index. */
  signals(
    range: { readonly after: number; readonly upTo: number },
    limit: number,
  ): Promise<readonly FollowedSignal[]>;
}

/** A receiver of stored signals. */
export interface Follower {
  readonly isOpen: boolean;
  send(frame: Buffer): void;
  sendPage(frames: readonly Buffer[]): void;
  drained(): Promise<void>;
  end(): void;
}

/** The feed's report about a customer's ledger: entries from `first` to `last` are stored. */
export interface StoredRange {
  readonly first: number;
  readonly last: number;
  readonly epoch: number;
}

interface FollowedLedgerOptions {
  /** Reads for all followers. A follower that catches up has separate reads, which wait for their turn. */
  readonly source: LedgerSource;
  /** Maximum number of missed signals read for a follower. */
  readonly maxMissed: number;
  /** Signals per read: for all followers, and for one that catches up. */
  readonly page: { readonly live: number; readonly missed: number };
  /** The event that replaces signals that a follower missed. */
  readonly resetFrame: (reason: ResetReason, position: LedgerPosition) => Buffer;
  /** Called when the ledger has grown. */
  readonly onMoved: () => void;
  /** Called when a read fails; its purpose is retried. */
  readonly onFailure: (error: unknown) => void;
}

/** Where a follower starts. */
export interface Beginning {
  readonly position: LedgerPosition;
  readonly resumed: boolean;
  /** Null: every missed signal will be sent. */
  readonly reset: ResetReason | null;
  /** Generation of the ledger in this process; a restore starts a new one. */
  readonly generation: number;
}

/**
 * One customer's ledger, followed by its open streams. The feed only reports how far the ledger is stored; signals are
 * read from the warehouse, once for all followers, strictly from `front` on. Gaps, repeats and reordering in the
 * reports make no difference: delivery depends on indexes alone, so no signal is omitted or repeated.
 */
export class FollowedLedger {
  readonly #options: FollowedLedgerOptions;
  /** Followers at the front, each with the index up to which it already has everything. */
  readonly #live = new Map<Follower, number>();
  readonly #catchingUp = new Set<Follower>();
  /** Position up to which the live followers have everything. Null: not known yet. */
  #front: LedgerPosition | null = null;
  /** Position up to which the ledger is known to be stored. */
  #stored: LedgerPosition = { epoch: 0, index: -1 };
  #isPumping = false;
  #generation = 0;
  #opening: Promise<void> | null = null;

  constructor(options: FollowedLedgerOptions) {
    this.#options = options;
  }

  get followers(): number {
    return this.#live.size + this.#catchingUp.size;
  }

  /** Reports stored entries. Reports may come late, repeatedly, and with gaps. */
  report({ last, epoch, first }: StoredRange): void {
    // After a restore the ledger may continue from an earlier index, so all followers are compared with it again.
    if (this.#front !== null && epoch > this.#stored.epoch && first <= this.#stored.index) this.#restart();
    if (last <= this.#stored.index) return;
    this.#stored = { epoch, index: last };
    this.#options.onMoved();
    this.pump();
  }

  /** Reads how far the ledger is stored, in case the feed missed something. */
  async refresh(): Promise<void> {
    const { epoch, index } = await this.#options.source.last();
    this.report({ first: index, last: index, epoch });
  }

  /** Where a follower starts that has everything up to `from`; null: with the next signal. */
  async begin(from: LedgerPosition | null, reads: LedgerSource): Promise<Beginning> {
    const generation = this.#generation;
    const front = await this.#open();
    const restart = (reset: ResetReason | null): Beginning => ({
      position: this.#front ?? front,
      resumed: false,
      reset,
      generation,
    });
    if (from === null) return restart(null);
    if (from.index >= 0 && (await reads.epochOf(from.index)) !== from.epoch) return restart('UNKNOWN_PLACE');
    const range = { after: from.index, upTo: front.index };
    if (range.after < range.upTo && (await reads.hasMore(range, this.#options.maxMissed)))
      return restart('TOO_MANY_MISSED');
    return { position: from, resumed: true, reset: null, generation };
  }

  /** Sends a follower everything after its start, until it is closed or leaves. */
  async follow(follower: Follower, { position, generation }: Beginning, reads: LedgerSource): Promise<void> {
    this.#catchingUp.add(follower);
    try {
      let after = position.index;
      while (follower.isOpen) {
        await this.#open();
        // Read again: it may have moved since the promise was resolved.
        const front = this.#front;
        if (front === null) continue;
        if (generation !== this.#generation) {
          follower.end();
          return;
        }
        // No other work runs between this comparison and the change, so no signal is lost in between.
        if (after >= front.index) {
          this.#live.set(follower, after);
          this.pump();
          return;
        }
        after = await this.#catchUp(follower, { after, upTo: front.index }, reads);
      }
    } catch (error) {
      this.#options.onFailure(error);
      follower.end();
    } finally {
      this.#catchingUp.delete(follower);
      if (!follower.isOpen) this.#live.delete(follower);
    }
  }

  leave(follower: Follower): void {
    this.#live.delete(follower);
    this.#catchingUp.delete(follower);
  }

  /** Delivers stored signals that are not delivered yet; call it after a failure too. */
  pump(): void {
    if (this.#isPumping || this.#live.size === 0) return;
    this.#isPumping = true;
    this.#deliver()
      .catch(this.#options.onFailure)
      .finally(() => {
        this.#isPumping = false;
      });
  }

  endAll(): void {
    for (const follower of [...this.#live.keys(), ...this.#catchingUp]) follower.end();
  }

  async #catchUp(
    follower: Follower,
    range: { readonly after: number; readonly upTo: number },
    reads: LedgerSource,
  ): Promise<number> {
    const limit = this.#options.page.missed;
    const signals = await reads.signals(range, limit);
    follower.sendPage(signals.map(({ frame }) => frame));
    await follower.drained();
    return signals.length < limit ? range.upTo : signals.at(-1)!.position.index;
  }

  async #deliver(): Promise<void> {
    const { source, maxMissed, page } = this.#options;
    for (;;) {
      const front = this.#front;
      const target = this.#stored;
      if (front === null || this.#live.size === 0 || target.index <= front.index) return;
      const range = { after: front.index, upTo: target.index };
      if (range.upTo - range.after > maxMissed && (await source.hasMore(range, maxMissed))) {
        if (this.#front !== front) continue;
        this.#front = target;
        this.#reset(target);
        continue;
      }
      const signals = await source.signals(range, page.live);
      // All followers were ended meanwhile.
      if (this.#front !== front) continue;
      this.#front = signals.length < page.live ? target : signals.at(-1)!.position;
      this.#pass(signals);
    }
  }

  /** A follower may have received more from another process than this one has; it has lost nothing. */
  #reset(position: LedgerPosition): void {
    const frame = this.#options.resetFrame('TOO_MANY_MISSED', position);
    for (const [follower, after] of this.#live) if (after < position.index) follower.send(frame);
  }

  #pass(signals: readonly FollowedSignal[]): void {
    for (const [follower, after] of this.#live) {
      for (const { position, frame } of signals) if (position.index > after) follower.send(frame);
    }
  }

  #restart(): void {
    this.#front = null;
    this.#stored = { epoch: 0, index: -1 };
    this.#generation += 1;
    this.endAll();
  }

  async #open(): Promise<LedgerPosition> {
    while (this.#front === null) {
      this.#opening ??= this.#readFront().finally(() => {
        this.#opening = null;
      });
      await this.#opening;
    }
    return this.#front;
  }

  async #readFront(): Promise<void> {
    const generation = this.#generation;
    const last = await this.#options.source.last();
    // Reports from before this read may lie above it, and are then delivered.
    if (generation === this.#generation) this.#front ??= last;
    if (last.index > this.#stored.index) this.#stored = last;
  }
}
