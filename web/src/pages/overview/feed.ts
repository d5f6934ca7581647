import type { Signal } from '#schemas/api/signals.ts';

/** Maximum number of rows; older ones are in the list of signals. */
export const MAX_ROWS = 200;
/** Signal ids remembered, so that a signal sent again, for example after a reconnect, is shown once. */
const MAX_SEEN = 5_000;

export interface FeedView {
  /** Newest first. */
  readonly rows: readonly Signal[];
  /** Signals that have arrived but are not shown yet. */
  readonly waiting: number;
  readonly isPaused: boolean;
  /** Signals were missed: the list of signals has them. */
  readonly hasGap: boolean;
}

/**
 * The rows of a live feed. Rows never move until the user asks for new ones, so only an empty feed fills by itself.
 * While paused, it only counts.
 */
export class Feed {
  #rows: readonly Signal[] = [];
  #waiting: Signal[] = [];
  /** Includes signals that were dropped because newer ones would push them out. */
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
    // Twice as many, so that not every signal copies the array.
    if (this.#waiting.length > 2 * MAX_ROWS) this.#waiting = this.#waiting.slice(-MAX_ROWS);
  }

  /** Shows waiting signals if no rows are shown yet. */
  fill(): void {
    if (this.#rows.length === 0 && !this.#isPaused) this.show();
  }

  /** Adds waiting signals to the rows. */
  show(): void {
    this.#rows = [...this.#waiting.toReversed(), ...this.#rows].slice(0, MAX_ROWS);
    this.#waiting = [];
    this.#waitingCount = 0;
  }

  /** Resuming shows what arrived meanwhile. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused) this.show();
  }

  /** Notes that signals were missed. */
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
