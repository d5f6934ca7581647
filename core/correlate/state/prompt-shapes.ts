import { hexDigitAt } from '../../similarity/hex-digit.ts';
import { MAX_OPEN_SHAPES } from './rules.ts';
import { addTo, countOf, emptySeries, hourOf, indexOf, prune, type Series } from './series.ts';
import type { Key, Keys, ShapesOfCode } from './shapes.ts';
import { hasNone, NO_TALLIES } from './tally.ts';

/**
 * Violations by the shape of the prompt that they came with. A shape is the first six bits of the prompt's fingerprint:
 * near-duplicates mostly have the same ones, and of unrelated prompts one in 64. Days are enough, as windows of RECURRING
 * are days.
 */
export const SHAPES = 64;
const DAY_HOURS = 24;

export const noShapes = (): ShapesOfCode => ({ days: emptySeries(), open: new Map() });

/** Place among the `SHAPES` of a prompt with that fingerprint (64 hexadecimal digits). */
export const shapeOf = (fingerprint: string): number =>
  (hexDigitAt(fingerprint, 0) << 2) | (hexDigitAt(fingerprint, 1) >> 2);

/** As it is written in the key of a finding. */
export const nameOfShape = (shape: number): string => shape.toString(16).padStart(2, '0');

const slotOf = (day: number, shape: number): number => day * SHAPES + shape;

/** `hour`: since the epoch. */
export const addToShape = ({ days }: ShapesOfCode, hour: number, shape: number, count: number): void =>
  addTo(days, slotOf(Math.floor(hour / DAY_HOURS), shape), count);

/** What a shape had in whole days from the day of the hour `from` up to that of the hour `end`: each in its first hour. */
export function seriesOfShape(shapes: ShapesOfCode, shape: number, from: number, end: number): Series {
  const series = emptySeries();
  for (let day = Math.floor(from / DAY_HOURS); day < Math.ceil(end / DAY_HOURS); day += 1) {
    const count = countOn(shapes, day, shape);
    if (count > 0) addTo(series, day * DAY_HOURS, count);
  }
  return series;
}

/** The sum of the same: those of whole days, as `seriesOfShape` has them in their first hours. */
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

/** The key of a shape's violations, while it has an open window; null: as many are open as there may be. */
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

/** Lets a key of a shape go that has no open window any more. */
export function dropShape(keys: Keys, key: Key): void {
  if (!hasNone(key) || !key.shapes!.open.delete(key.shape)) return;
  keys.openShapes -= 1;
}

/** Forgets the days below that of `hour`. */
export const pruneShapes = ({ days }: ShapesOfCode, hour: number): void =>
  prune(days, slotOf(Math.floor(hour / DAY_HOURS), 0));
