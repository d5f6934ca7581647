import { readListsOf } from '../../samples/lists.ts';

const lists = readListsOf(
  'training/names/words.txt',
  'cues',
  'particles',
  'streets',
  'places',
  'proper',
  'common',
  'function',
  'namesOfThings',
);
/** Splits lines that contain several words. */
const words = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/** Words that indicate the type of their neighbours; each list is one bit of the lexicon. */
export const CUE_WORDS = words(lists.cues);
export const PARTICLE_WORDS = words(lists.particles);
export const STREET_WORDS = words(lists.streets);
export const PLACE_WORDS = words(lists.places);
export const PROPER_WORDS = words(lists.proper);
export const COMMON_FOREIGN = words(lists.common);
export const FUNCTION_WORDS = words(lists.function);

/** Companies, products and works named like persons. */
export const NAMES_OF_THINGS = lists.namesOfThings;
