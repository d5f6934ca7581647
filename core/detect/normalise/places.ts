import { type NumberList, numberList } from '../number-list.ts';

/** From places in a text that was changed back to places in the text that it was made from. */
export interface Places {
  /** Where the character begins that the unit at `index` was made from. */
  start(index: number): number;
  /** Where the character ends that the unit before `index` was made from; `index` is above 0. */
  end(index: number): number;
  /** The stretch that a stretch was made from, also where the text was turned round. */
  across(start: number, end: number): { readonly start: number; readonly end: number };
}

export const SAME_PLACES: Places = {
  start: (index) => index,
  end: (index) => index,
  across: (start, end) => ({ start, end }),
};

/** Writes places down while a text is changed from its beginning to its end. */
export interface PlaceWriter {
  /** The next units were taken over one to one, from `origin` on. */
  taken(units: number, origin: number): void;
  /** The next units were made from one stretch of `width` units at `origin`. */
  made(units: number, origin: number, width: number): void;
  /** What follows the last unit belongs to its character, up to `origin`. */
  extended(origin: number): void;
  places(): Places;
}

/**
 * Stretches, not single units, so that a long text that is mostly taken over costs next to nothing. A stretch of width
 * 0 runs along with its origin; any other was made from that one place.
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
  /** Where the unit comes from that would go on with the last stretch; -1 when there is none to go on with. */
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
  /** Where each begins in the text that was made. */
  readonly from: NumberList;
  readonly origins: NumberList;
  readonly widths: NumberList;
}

function placesOf({ from, origins, widths }: Stretches): Places {
  /** The stretch that holds the unit. */
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
