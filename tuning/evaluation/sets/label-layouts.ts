import { readListsOf } from '../../samples/lists.ts';

/** Layouts of a label and its value. */
export const { tuned: TUNED_LAYOUTS, held: HELD_LAYOUTS } = readListsOf(
  'evaluation/sets/label-layouts.txt',
  'tuned',
  'held',
);
