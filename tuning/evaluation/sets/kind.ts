import type { EntityType } from '#schemas/vocabulary.ts';
import { readLists } from '../../samples/lists.ts';
import type { Maker } from './values.ts';

/** Entries used while the detectors were written, and entries held out. */
interface Split {
  readonly tuned: readonly string[];
  readonly held: readonly string[];
}

/** A kind of value, with its labels and formats. */
export interface Kind {
  readonly entity: EntityType;
  readonly labels: Split;
  readonly make: Maker;
  /** Texts that mention the kind, or similar ones, without a value. */
  readonly none: Split;
}

const FILE = 'evaluation/sets/kinds.txt';
const LISTS = readLists(FILE);

function listOf(name: string): readonly string[] {
  const list = LISTS[name];
  if (list === undefined) throw new Error(`tuning/${FILE} has no list [${name}]`);
  return list;
}
const splitOf = (name: string): Split => ({ tuned: listOf(`${name}.tuned`), held: listOf(`${name}.held`) });

/** A kind of value with the labels and texts of `kinds.txt`. */
export const kind = (entity: EntityType, make: Maker): Kind => ({
  entity,
  labels: splitOf(`${entity}.labels`),
  make,
  none: splitOf(`${entity}.none`),
});
