import { type NumberList, numberList } from '../number-list.ts';

/** Maps places in a changed text back to the text that it was made from. */
export interface Places {
  /** Where the character that the code unit at `index` was made from begins. */
  start(index: number): number;
  /** Where the character that the code unit before `index` was made from ends; `index` is above 0. */
  end(index: number): number;
  /** The span that a span was made from, also where the text was reversed. */
  across(start: number, end: number): { readonly start: number; readonly end: number };
}

export const SAME_PLACES: Places = {
  start: (index) => index,
  end: (index) => index,
  across: (start, end) => ({ start, end }),
};

/** Records places while a text is changed from its beginning to its end. */
export interface PlaceWriter {
  /** The next code units were copied one to one, from `origin` on. */
  taken(units: number, origin: number): void;
  /** The next code units were made from one span of `width` units at `origin`. */
  made(units: number, origin: number, width: number): void;
  /** What follows the last code unit belongs to its character, up to `origin`. */
  extended(origin: number): void;
  places(): Places;
}

/**
 * Spans, not single code units, so that a long, mostly unchanged text costs next to nothing. A span of width 0 maps one
 * to one from its origin; any other was made from that one place.
 */
export function placeWriter(): PlaceWriter {
  const stretches: Stretches = { from: numberList(), origins: numberList(), widths: numberList() };
  const { from, origins, widths } = stretches;
  let length = 0;

  const open = (origin: number, width: number): void => {
    from.push(length);
    origins.push(origin);
    widths.push(width);
  };
  /** The origin of a code unit that would continue the last span; -1 when there is none. */
  const next = (): number => {
    const last = from.length - 1;
    return last >= 0 && widths.at(last) === 0 ? origins.at(last) + length - from.at(last) : -1;
  };

  return {
    taken: (units, origin) => {
      if (units === 0) return;
      if (next() !== origin) open(origin, 0);
      length += units;
    },
    made: (units, origin, width) => {
      if (units === width && width === 1 && next() === origin) {
        length++;
        return;
      }
      open(origin, width === 1 && units === 1 ? 0 : width);
      length += units;
    },
    extended: (origin) => {
      const last = from.length - 1;
      if (last === -1) return;
      if (widths.at(last) > 0) {
        widths.set(last, origin - origins.at(last));
        return;
      }
      const begin = origins.at(last) + length - 1 - from.at(last);
      if (length - 1 === from.at(last)) for (const list of [from, origins, widths]) list.pop();
      length--;
      open(begin, origin - begin);
      length++;
    },
    places: () => placesOf(stretches),
  };
}

interface Stretches {
  /** Where each span begins in the changed text. */
  readonly from: NumberList;
  readonly origins: NumberList;
  readonly widths: NumberList;
}

function placesOf({ from, origins, widths }: Stretches): Places {
  /** The span that contains the code unit. */
  const stretchOf = (index: number): number => {
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (from.at(middle) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const start = (index: number): number => {
    const at = stretchOf(index);
    return widths.at(at) > 0 ? origins.at(at) : origins.at(at) + index - from.at(at);
  };
  const end = (index: number): number => {
    const at = stretchOf(index - 1);
    return origins.at(at) + (widths.at(at) > 0 ? widths.at(at) : index - from.at(at));
  };
  const across = (first: number, last: number) => ({
    start: Math.min(start(first), start(last - 1)),
    end: Math.max(end(first + 1), end(last)),
  });
  return { start, end, across };
}
