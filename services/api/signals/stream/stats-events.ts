import { isDeepStrictEqual } from 'node:util';
import type { Freshness, Stats } from '#schemas/api/dashboard.ts';
import { frameOf } from './frames.ts';

/** Minimum time between two events about changes, ms. */
export const MIN_PAUSE_MS = 2_000;
/** Maximum time between two events, ms. */
export const REPEATED_MS = 10_000;
/** Maximum time between two counts, ms: audits also end without an entry in the ledger. */
export const COUNT_AGAIN_MS = 60_000;

interface StatsEventsOptions {
  readonly read: () => Promise<Stats>;
  /** Lag of all customers' numbers; cheap to read. */
  readonly freshness: () => Promise<Freshness>;
  readonly send: (frame: Buffer) => void;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** The numbers of one customer, counted once for all of its streams, and only if its ledger has grown. */
export class StatsEvents {
  readonly #options: StatsEventsOptions;
  #frame: Buffer | null = null;
  #stats: Stats | null = null;
  #isMoved = true;
  #isReading = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: StatsEventsOptions) {
    this.#options = options;
  }

  /** The newest numbers, for a new stream; null: not counted yet. */
  get frame(): Buffer | null {
    return this.#frame;
  }

  /** Reports that the ledger has grown. */
  moved(): void {
    this.#isMoved = true;
  }

  /** Call this a few times a second. */
  tick(): void {
    if (this.#isReading) return;
    const now = this.#options.now();
    const pausedMs = now - this.#readAt;
    if (pausedMs >= COUNT_AGAIN_MS || (this.#isMoved && pausedMs >= MIN_PAUSE_MS)) {
      this.#work(() => this.#count());
    } else if (this.#stats !== null && now - this.#sentAt >= REPEATED_MS) {
      this.#work(() => this.#repeat());
    }
  }

  #work(work: () => Promise<void>): void {
    this.#isReading = true;
    work()
      .catch((error: unknown) => {
        this.#isMoved = true;
        this.#options.onFailure(error);
      })
      .finally(() => {
        this.#isReading = false;
      });
  }

  /** Counts again only if the numbers have become complete. */
  async #repeat(): Promise<void> {
    const isLate = this.#stats?.freshness.complete === false && (await this.#options.freshness()).complete;
    if (isLate) await this.#count();
    else if (this.#frame !== null) this.#send(this.#frame);
  }

  async #count(): Promise<void> {
    this.#isMoved = false;
    this.#readAt = this.#options.now();
    const stats = await this.#options.read();
    const isChanged = this.#stats === null || !isDeepStrictEqual(numbersOf(stats), numbersOf(this.#stats));
    this.#stats = stats;
    this.#frame = frameOf({ event: 'stats', data: stats });
    if (isChanged) this.#send(this.#frame);
  }

  #send(frame: Buffer): void {
    this.#sentAt = this.#options.now();
    this.#options.send(frame);
  }
}

/** Omits what differs at each count. */
const numbersOf = ({ asOf: _asOf, freshness: { complete }, ...numbers }: Stats) => ({ ...numbers, complete });
