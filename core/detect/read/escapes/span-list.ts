import type { NumberList } from '../number-list.ts';

export interface Edges {
  readonly start: number;
  readonly end: number;
}

/** Non-overlapping spans, in the order of a text. */
export class SpanList {
  readonly #starts: NumberList;
  readonly #ends: NumberList;

  constructor(starts: NumberList, ends: NumberList) {
    this.#starts = starts;
    this.#ends = ends;
  }

  get length(): number {
    return this.#starts.length;
  }

  add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** The index of the first span that ends after `at`; `length` if there is none. */
  firstAfter(at: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends.at(middle) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  at(index: number): Edges {
    return { start: this.#starts.at(index), end: this.#ends.at(index) };
  }

  /** Extends the given span so that it cuts none of these. */
  around(start: number, end: number): Edges {
    const first = this.firstAfter(start);
    const last = this.firstAfter(end);
    const from = first < this.length ? Math.min(start, this.#starts.at(first)) : start;
    const until = last < this.length && this.#starts.at(last) < end ? this.#ends.at(last) : end;
    return { start: from, end: until };
  }
}
