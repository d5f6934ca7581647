import { hexDigitAt } from '../../similarity/hex-digit.ts';
import { MAX_OPEN_SHAPES } from './rules.ts';
import { addTo, countOf, emptySeries, hourOf, indexOf, prune, type Series } from './series.ts';
import type { Key, Keys, ShapesOfCode } from './shapes.ts';
import { hasNone, NO_TALLIES } from './tally.ts';

/**
 * Violations by the shape of their prompt. A shape is the first six bits of the prompt's fingerprint: near-duplicates
 * mostly share them, and so does one in 64 unrelated prompts. Counts by day suffice, because windows of RECURRING are
 * days.
 */
export const SHAPES = 64;
const DAY_HOURS = 24;

export const noShapes = (): ShapesOfCode => ({ days: emptySeries(), open: new Map() });

/** The shape (0 to `SHAPES` - 1) of a prompt with that fingerprint (64 hexadecimal digits). */
export const shapeOf = (fingerprint: string): number =>
  (hexDigitAt(fingerprint, 0) << 2) | (hexDigitAt(fingerprint, 1) >> 2);

/** A shape as written in the key of a finding. */
export const nameOfShape = (shape: number): string => shape.toString(16).padStart(2, '0');

const slotOf = (day: number, shape: number): number => day * SHAPES + shape;

/** `hour`: since the epoch. */
export const addToShape = ({ days }: ShapesOfCode, hour: number, shape: number, count: number): void =>
  addTo(days, slotOf(Math.floor(hour / DAY_HOURS), shape), count);

/** Counts of a shape per day, from the day of hour `from` to that of hour `end`; each at the first hour of its day. */
export function seriesOfShape(shapes: ShapesOfCode, shape: number, from: number, end: number): Series {
  const series = emptySeries();
  for (let day = Math.floor(from / DAY_HOURS); day < Math.ceil(end / DAY_HOURS); day += 1) {
    const count = countOn(shapes, day, shape);
    if (count > 0) addTo(series, day * DAY_HOURS, count);
  }
  return series;
}

/** The sum over the same days, as `seriesOfShape` counts them. */
export function sumOfShape(shapes: ShapesOfCode, shape: number, from: number, end: number): number {
  let sum = 0;
  for (let day = Math.ceil(from / DAY_HOURS); day < Math.ceil(end / DAY_HOURS); day += 1)
    sum += countOn(shapes, day, shape);
  return sum;
}

function countOn({ days }: ShapesOfCode, day: number, shape: number): number {
  const slot = slotOf(day, shape);
  const one = days[indexOf(days, slot)];
  return one !== undefined && hourOf(one) === slot ? countOf(one) : 0;
}

/** The key of a shape's violations while it has an open window; null: too many are open. */
export function shapeKey(keys: Keys, code: Key, shape: number): Key | null {
  const { open } = code.shapes!;
  const known = open.get(shape);
  if (known !== undefined) return known;
  if (keys.openShapes >= MAX_OPEN_SHAPES) return null;
  const key: Key = {
    kind: 'SHAPE_CODE',
    word: code.word,
    sandbox: null,
    model: null,
    provider: null,
    hourly: emptySeries(),
    elevated: null,
    shapes: code.shapes,
    shape,
    ...NO_TALLIES,
  };
  open.set(shape, key);
  keys.openShapes += 1;
  return key;
}

/** Removes the key of a shape that has no open window left. */
export function dropShape(keys: Keys, key: Key): void {
  if (!hasNone(key) || !key.shapes!.open.delete(key.shape)) return;
  keys.openShapes -= 1;
}

/** Removes the days before that of `hour`. */
export const pruneShapes = ({ days }: ShapesOfCode, hour: number): void =>
  prune(days, slotOf(Math.floor(hour / DAY_HOURS), 0));
