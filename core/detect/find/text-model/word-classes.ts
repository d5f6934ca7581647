import classes from '../lists/word-classes.json' with { type: 'json' };

/**
 * Words with the same role in a sentence. The model sees the class besides the word, so that what it learns of one
 * group, one target or one verb applies to the others of the class, even if the training texts did not contain them.
 * Classes are numbered in their order in the file: another order, or another word, needs a new training.
 */

/** Number of the class GROUP. */
export const GROUP = Object.keys(classes).indexOf('GROUP') + 1;

/** Word -> numbers of its classes, from 1. */
export const CLASSES_OF_WORD: ReadonlyMap<string, readonly number[]> = (() => {
  const map = new Map<string, number[]>();
  Object.values(classes).forEach((words, index) => {
    for (const word of words) map.set(word, [...(map.get(word) ?? []), index + 1]);
  });
  return map;
})();
