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

const FIRST = 8;

/**
 * Stretches, not single units, so that a long text that is mostly taken over costs next to nothing. A stretch of width
 * 0 runs along with its origin; any other was made from that one place.
 */
export function placeWriter(): PlaceWriter {
  let from = new Uint32Array(FIRST);
  let origins = new Uint32Array(FIRST);
  let widths = new Uint32Array(FIRST);
  let count = 0;
  let length = 0;

  const open = (origin: number, width: number): void => {
    if (count === from.length) [from, origins, widths] = [from, origins, widths].map(doubled) as Three;
    from[count] = length;
    origins[count] = origin;
    widths[count] = width;
    count++;
  };
  const runsOn = (origin: number): boolean =>
    count > 0 && widths[count - 1] === 0 && origins[count - 1]! + length - from[count - 1]! === origin;

  return {
    taken: (units, origin) => {
      if (units === 0) return;
      if (!runsOn(origin)) open(origin, 0);
      length += units;
    },
    made: (units, origin, width) => {
      if (units === width && width === 1 && runsOn(origin)) {
        length++;
        return;
      }
      open(origin, width === 1 && units === 1 ? 0 : width);
      length += units;
    },
    extended: (origin) => {
      if (count === 0) return;
      const last = count - 1;
      if (widths[last]! > 0) {
        widths[last] = origin - origins[last]!;
        return;
      }
      const begin = origins[last]! + length - 1 - from[last]!;
      if (length - 1 === from[last]) count--;
      length--;
      open(begin, origin - begin);
      length++;
    },
    places: () => placesOf(from.slice(0, count), origins.slice(0, count), widths.slice(0, count)),
  };
}

type Three = [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function placesOf(from: Uint32Array, origins: Uint32Array, widths: Uint32Array): Places {
  /** The stretch that holds the unit. */
  const stretchOf = (index: number): number => {
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (from[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const start = (index: number): number => {
    const at = stretchOf(index);
    return widths[at]! > 0 ? origins[at]! : origins[at]! + index - from[at]!;
  };
  const end = (index: number): number => {
    const at = stretchOf(index - 1);
    return widths[at]! > 0 ? origins[at]! + widths[at]! : origins[at]! + index - from[at]!;
  };
  const across = (first: number, last: number) => ({
    start: Math.min(start(first), start(last - 1)),
    end: Math.max(end(first + 1), end(last)),
  });
  return { start, end, across };
}
