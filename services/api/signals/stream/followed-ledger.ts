import type { LedgerPlace, ResetReason } from '#schemas/api/stream.ts';

/** A signal of a ledger, as the event that all its followers get. */
interface FollowedSignal {
  readonly place: LedgerPlace;
  readonly frame: Buffer;
}

/** A customer's stored ledger. */
export interface LedgerSource {
  /** The last entry; index -1: there is none. */
  last(): Promise<LedgerPlace>;
  /** The epoch of an entry; null: there is none. */
  epochOf(index: number): Promise<number | null>;
  /** Whether a range has more signals than that. `after` is exclusive, `upTo` inclusive. */
  hasMore(range: { readonly after: number; readonly upTo: number }, than: number): Promise<boolean>;
  /** The first `limit` signals of a range, by index. */
  signals(
    range: { readonly after: number; readonly upTo: number },
    limit: number,
  ): Promise<readonly FollowedSignal[]>;
}

/** Who gets what is stored. */
export interface Follower {
  readonly isOpen: boolean;
  send(frame: Buffer): void;
  sendPage(frames: readonly Buffer[]): void;
  drained(): Promise<void>;
  end(): void;
}

/** What the feed tells of a customer's ledger: entries from `first` to `last` are stored. */
export interface ToldRange {
  readonly first: number;
  readonly last: number;
  readonly epoch: number;
}

interface FollowedLedgerOptions {
  /** What is read for all followers. One that catches up has reads of its own, which wait for their turn. */
  readonly source: LedgerSource;
  /** Signals that are read from the source for one who fell behind. */
  readonly maxMissed: number;
  /** Signals read at a time, for all followers, and for one that catches up. */
  readonly page: { readonly live: number; readonly missed: number };
  /** The event that a follower gets instead of signals that it missed. */
  readonly resetFrame: (reason: ResetReason, place: LedgerPlace) => Buffer;
  /** Called when the ledger has grown. */
  readonly onMoved: () => void;
  /** Of a read; what it was for is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Where a follower begins. */
export interface Beginning {
  readonly place: LedgerPlace;
  readonly resumed: boolean;
  /** Null: nothing was missed that does not come. */
  readonly reset: ResetReason | null;
  /** Of the ledger, as this process knows it: after a restore it is another one. */
  readonly generation: number;
}

/**
 * One customer's ledger, followed by its open streams. The feed only tells how far the ledger is stored; signals are
 * read from the warehouse, once for all followers, strictly from `front` on. A gap in what is told, a repeat and another
 * order make no difference: what is delivered depends on indexes alone, so nothing is left out and nothing comes twice.
 */
export class FollowedLedger {
  readonly #options: FollowedLedgerOptions;
  /** Followers that are at the front, each with the index up to which it has everything already. */
  readonly #live = new Map<Follower, number>();
  readonly #behind = new Set<Follower>();
  /** Up to here the live followers have been given everything. Null: not known yet. */
  #front: LedgerPlace | null = null;
  /** Up to here the ledger is known to be stored. */
  #told: LedgerPlace = { epoch: 0, index: -1 };
  #isPumping = false;
  #generation = 0;
  #opening: Promise<void> | null = null;

  constructor(options: FollowedLedgerOptions) {
    this.#options = options;
  }

  get followers(): number {
    return this.#live.size + this.#behind.size;
  }

  /** Entries are stored. May be told late, repeatedly, and with gaps. */
  tell({ last, epoch, first }: ToldRange): void {
    // After a restore the ledger may go on from an earlier place: whoever follows is compared with it anew.
    if (this.#front !== null && epoch > this.#told.epoch && first <= this.#told.index) this.#beginAnew();
    if (last <= this.#told.index) return;
    this.#told = { epoch, index: last };
    this.#options.onMoved();
    this.pump();
  }

  /** Looks how far the ledger is stored: the feed may have missed something. */
  async look(): Promise<void> {
    const { epoch, index } = await this.#options.source.last();
    this.tell({ first: index, last: index, epoch });
  }

  /** Where a follower begins that has everything up to `from`; null: with what comes now. */
  async begin(from: LedgerPlace | null, reads: LedgerSource): Promise<Beginning> {
    const generation = this.#generation;
    const front = await this.#open();
    const anew = (reset: ResetReason | null): Beginning => ({
      place: this.#front ?? front,
      resumed: false,
      reset,
      generation,
    });
    if (from === null) return anew(null);
    if (from.index >= 0 && (await reads.epochOf(from.index)) !== from.epoch) return anew('UNKNOWN_PLACE');
    const range = { after: from.index, upTo: front.index };
    if (range.after < range.upTo && (await reads.hasMore(range, this.#options.maxMissed)))
      return anew('TOO_MANY_MISSED');
    return { place: from, resumed: true, reset: null, generation };
  }

  /** Gives a follower everything behind its beginning, until it is closed or leaves. */
  async follow(follower: Follower, { place, generation }: Beginning, reads: LedgerSource): Promise<void> {
    this.#behind.add(follower);
    try {
      let after = place.index;
      while (follower.isOpen) {
        await this.#open();
        // As it is at this moment: it may have moved since the promise was resolved.
        const front = this.#front;
        if (front === null) continue;
        if (generation !== this.#generation) {
          follower.end();
          return;
        }
        // No other work runs between this comparison and the change: nothing falls in between.
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
      this.#behind.delete(follower);
      if (!follower.isOpen) this.#live.delete(follower);
    }
  }

  leave(follower: Follower): void {
    this.#live.delete(follower);
    this.#behind.delete(follower);
  }

  /** Reads on when something is stored that was not delivered; also to be called after a failure. */
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
    for (const follower of [...this.#live.keys(), ...this.#behind]) follower.end();
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
    return signals.length < limit ? range.upTo : signals.at(-1)!.place.index;
  }

  async #deliver(): Promise<void> {
    const { source, maxMissed, page } = this.#options;
    for (;;) {
      const front = this.#front;
      const target = this.#told;
      if (front === null || this.#live.size === 0 || target.index <= front.index) return;
      const range = { after: front.index, upTo: target.index };
      if (range.upTo - range.after > maxMissed && (await source.hasMore(range, maxMissed))) {
        if (this.#front !== front) continue;
        this.#front = target;
        this.#reset(target);
        continue;
      }
      const signals = await source.signals(range, page.live);
      // Everybody was sent away meanwhile.
      if (this.#front !== front) continue;
      this.#front = signals.length < page.live ? target : signals.at(-1)!.place;
      this.#pass(signals);
    }
  }

  /** Another process may have given a follower more than this one has: to it nothing was lost. */
  #reset(place: LedgerPlace): void {
    const frame = this.#options.resetFrame('TOO_MANY_MISSED', place);
    for (const [follower, after] of this.#live) if (after < place.index) follower.send(frame);
  }

  #pass(signals: readonly FollowedSignal[]): void {
    for (const [follower, after] of this.#live) {
      for (const { place, frame } of signals) if (place.index > after) follower.send(frame);
    }
  }

  #beginAnew(): void {
    this.#front = null;
    this.#told = { epoch: 0, index: -1 };
    this.#generation += 1;
    this.endAll();
  }

  async #open(): Promise<LedgerPlace> {
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
    // What is told from before this on lies above, and is delivered.
    if (generation === this.#generation) this.#front ??= last;
    if (last.index > this.#told.index) this.#told = last;
  }
}
