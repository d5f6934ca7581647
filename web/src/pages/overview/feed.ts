import type { Signal } from '#schemas/api/signals.ts';

/** Rows that the feed keeps; older ones are in the list of signals. */
export const MAX_ROWS = 200;
/** Signals whose ids are remembered, so that one that comes again, as after a broken connection, is shown once. */
const MAX_SEEN = 5_000;

export interface FeedView {
  /** Newest first. */
  readonly rows: readonly Signal[];
  /** Signals that came and are not among the rows yet. */
  readonly waiting: number;
  readonly isPaused: boolean;
  /** Signals were missed: the list of signals has them. */
  readonly hasGap: boolean;
}

/**
 * What a live feed shows: nothing that is shown moves until somebody asks for what is new, so only into an empty feed
 * signals come by themselves. Paused, it only counts.
 */
export class Feed {
  #rows: readonly Signal[] = [];
  #waiting: Signal[] = [];
  /** With those that are not kept, because newer ones would push them out of the rows. */
  #waitingCount = 0;
  #isPaused = false;
  #hasGap = false;
  readonly #seen = new Set<string>();

  add(signal: Signal): void {
    if (this.#seen.has(signal.id)) return;
    this.#seen.add(signal.id);
    if (this.#seen.size > MAX_SEEN) {
      const [oldest] = this.#seen;
      this.#seen.delete(oldest!);
    }
    this.#waiting.push(signal);
    this.#waitingCount += 1;
    // Twice as many, so that they are not moved each time.
    if (this.#waiting.length > 2 * MAX_ROWS) this.#waiting = this.#waiting.slice(-MAX_ROWS);
  }

  /** Shows what waits where nothing is shown yet. */
  fill(): void {
    if (this.#rows.length === 0 && !this.#isPaused) this.show();
  }

  /** Takes what waits among the rows. */
  show(): void {
    this.#rows = [...this.#waiting.toReversed(), ...this.#rows].slice(0, MAX_ROWS);
    this.#waiting = [];
    this.#waitingCount = 0;
  }

  /** Whoever goes on sees what came meanwhile. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused) this.show();
  }

  /** Signals were left out. */
  noteGap(): void {
    this.#hasGap = true;
  }

  view(): FeedView {
    return {
      rows: this.#rows,
      waiting: this.#waitingCount,
      isPaused: this.#isPaused,
      hasGap: this.#hasGap,
    };
  }
}
