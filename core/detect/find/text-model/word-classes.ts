import classes from '../lists/word-classes.json' with { type: 'json' };

/**
 * Words with the same role in a sentence. The model sees the class in addition to the word, so what it learns of one
 * group, target or verb applies to the whole class, even to words missing from the training texts. Classes are numbered
 * by their order in the file, so another order, or another word, requires retraining.
 */

/** Number of the class GROUP. */
export const GROUP = Object.keys(classes).indexOf('GROUP') + 1;

/** The numbers of each word's classes, starting at 1. */
export const CLASSES_OF_WORD: ReadonlyMap<string, readonly number[]> = (() => {
  const map = new Map<string, number[]>();
  Object.values(classes).forEach((words, index) => {
    for (const word of words) map.set(word, [...(map.get(word) ?? []), index + 1]);
  });
  return map;
})();
