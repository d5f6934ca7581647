import { NumberList } from '../number-list.ts';

/** Maps places in a changed text back to the text that it was made from. */
export interface OffsetMap {
  /** Where the character that the code unit at `index` was made from begins. */
  start(index: number): number;
  /** Where the character that the code unit before `index` was made from ends; `index` is above 0. */
  end(index: number): number;
  /** The span that a span was made from, also where the text was reversed. */
  across(start: number, end: number): { readonly start: number; readonly end: number };
}

export const SAME_OFFSETS: OffsetMap = {
  start: (index) => index,
  end: (index) => index,
  across: (start, end) => ({ start, end }),
};

interface Stretches {
  /** Where each span begins in the changed text. */
  readonly from: NumberList;
  readonly origins: NumberList;
  readonly widths: NumberList;
}

/**
 * Records places while a text is changed from its beginning to its end. Spans, not single code units, so that a long,
 * mostly unchanged text costs next to nothing. A span of width 0 maps one to one from its origin; any other was made from
 * that one place.
 */
export class OffsetMapWriter {
  readonly #stretches: Stretches = {
    from: new NumberList(),
    origins: new NumberList(),
    widths: new NumberList(),
  };
  #length = 0;

  /** The next code units were copied one to one, from `origin` on. */
  taken(units: number, origin: number): void {
    if (units === 0) return;
    if (this.#next() !== origin) this.#open(origin, 0);
    this.#length += units;
  }

  /** The next code units were made from one span of `width` units at `origin`. */
  made(units: number, origin: number, width: number): void {
    if (units === width && width === 1 && this.#next() === origin) {
      this.#length++;
      return;
    }
    this.#open(origin, width === 1 && units === 1 ? 0 : width);
    this.#length += units;
  }

  /** What follows the last code unit belongs to its character, up to `origin`. */
  extended(origin: number): void {
    const { from, origins, widths } = this.#stretches;
    const last = from.length - 1;
    if (last === -1) return;
    if (widths.at(last) > 0) {
      widths.set(last, origin - origins.at(last));
      return;
    }
    const begin = origins.at(last) + this.#length - 1 - from.at(last);
    if (this.#length - 1 === from.at(last)) for (const list of [from, origins, widths]) list.pop();
    this.#length--;
    this.#open(begin, origin - begin);
    this.#length++;
  }

  offsets(): OffsetMap {
    return new StretchMap(this.#stretches);
  }

  #open(origin: number, width: number): void {
    const { from, origins, widths } = this.#stretches;
    from.push(this.#length);
    origins.push(origin);
    widths.push(width);
  }

  /** The origin of a code unit that would continue the last span; -1 when there is none. */
  #next(): number {
    const { from, origins, widths } = this.#stretches;
    const last = from.length - 1;
    return last >= 0 && widths.at(last) === 0 ? origins.at(last) + this.#length - from.at(last) : -1;
  }
}

class StretchMap implements OffsetMap {
  readonly #stretches: Stretches;

  constructor(stretches: Stretches) {
    this.#stretches = stretches;
  }

  start(index: number): number {
    const { from, origins, widths } = this.#stretches;
    const at = this.#stretchOf(index);
    return widths.at(at) > 0 ? origins.at(at) : origins.at(at) + index - from.at(at);
  }

  end(index: number): number {
    const { from, origins, widths } = this.#stretches;
    const at = this.#stretchOf(index - 1);
    return origins.at(at) + (widths.at(at) > 0 ? widths.at(at) : index - from.at(at));
  }

  across(first: number, last: number): { readonly start: number; readonly end: number } {
    return {
      start: Math.min(this.start(first), this.start(last - 1)),
      end: Math.max(this.end(first + 1), this.end(last)),
    };
  }

  /** The span that contains the code unit. */
  #stretchOf(index: number): number {
    const { from } = this.#stretches;
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (from.at(middle) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
