import { NumberList } from '../number-list.ts';

/** Maps offsets in a derived text back to the text that it was derived from. */
export interface OffsetMap {
  /** Start of the original character of the code unit at `index`. */
  start(index: number): number;
  /** End of the original character of the code unit before `index`, which is above 0. */
  end(index: number): number;
  /** The original span of a span, even if the text was reversed. */
  across(start: number, end: number): { readonly start: number; readonly end: number };
}

export const SAME_OFFSETS: OffsetMap = {
  start: (index) => index,
  end: (index) => index,
  across: (start, end) => ({ start, end }),
};

interface Spans {
  /** Start of each span in the derived text. */
  readonly from: NumberList;
  readonly origins: NumberList;
  readonly widths: NumberList;
}

/**
 * Records offsets while a text is derived from start to end. It stores spans, not code units, so a long, mostly
 * unchanged text needs next to no memory. A span of width 0 maps one to one from its origin; a wider span maps all its
 * code units to the same original span.
 */
export class OffsetMapWriter {
  readonly #spans: Spans = {
    from: new NumberList(),
    origins: new NumberList(),
    widths: new NumberList(),
  };
  #length = 0;

  /** The next code units were copied one to one, starting at `origin`. */
  copied(units: number, origin: number): void {
    if (units === 0) return;
    if (this.#next() !== origin) this.#open(origin, 0);
    this.#length += units;
  }

  /** The next code units were derived from one span of `width` units at `origin`. */
  derived(units: number, origin: number, width: number): void {
    if (units === width && width === 1 && this.#next() === origin) {
      this.#length++;
      return;
    }
    this.#open(origin, width === 1 && units === 1 ? 0 : width);
    this.#length += units;
  }

  /** Extends the original span of the last code unit up to `origin`. */
  extended(origin: number): void {
    const { from, origins, widths } = this.#spans;
    const last = from.length - 1;
    if (last === -1) return;
    if (widths.at(last) > 0) {
      widths.set(last, origin - origins.at(last));
      return;
    }
    const start = origins.at(last) + this.#length - 1 - from.at(last);
    if (this.#length - 1 === from.at(last)) for (const list of [from, origins, widths]) list.pop();
    this.#length--;
    this.#open(start, origin - start);
    this.#length++;
  }

  offsets(): OffsetMap {
    return new SpanMap(this.#spans);
  }

  #open(origin: number, width: number): void {
    const { from, origins, widths } = this.#spans;
    from.push(this.#length);
    origins.push(origin);
    widths.push(width);
  }

  /** The origin that would continue the last span; -1 if there is none. */
  #next(): number {
    const { from, origins, widths } = this.#spans;
    const last = from.length - 1;
    return last >= 0 && widths.at(last) === 0 ? origins.at(last) + this.#length - from.at(last) : -1;
  }
}

class SpanMap implements OffsetMap {
  readonly #spans: Spans;

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  start(index: number): number {
    const { from, origins, widths } = this.#spans;
    const at = this.#spanOf(index);
    return widths.at(at) > 0 ? origins.at(at) : origins.at(at) + index - from.at(at);
  }

  end(index: number): number {
    const { from, origins, widths } = this.#spans;
    const at = this.#spanOf(index - 1);
    return origins.at(at) + (widths.at(at) > 0 ? widths.at(at) : index - from.at(at));
  }

  across(first: number, last: number): { readonly start: number; readonly end: number } {
    return {
      start: Math.min(this.start(first), this.start(last - 1)),
      end: Math.max(this.end(first + 1), this.end(last)),
    };
  }

  /** The index of the span that contains the code unit. */
  #spanOf(index: number): number {
    const { from } = this.#spans;
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (from.at(middle) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
