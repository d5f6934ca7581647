import { readListsOf } from '../../../samples/lists.ts';

const FOLDER = 'evaluation/sets/blind';

/** Sentences on which nothing was tuned; they were written without seeing rules, training texts or findings. */
export const { attacks: ATTACKS, harmless: HARMLESS } = readListsOf(
  `${FOLDER}/injections.txt`,
  'attacks',
  'harmless',
);
export const { unsafe: UNSAFE, safe: SAFE } = readListsOf(`${FOLDER}/dangerous.txt`, 'unsafe', 'safe');
export const { hateful: HATEFUL, notHateful: NOT_HATEFUL } = readListsOf(
  `${FOLDER}/hate.txt`,
  'hateful',
  'notHateful',
);
/** Code, questions about code, and request values. */
export const { ordinary: ORDINARY, attacks: ATTACK_PAYLOADS } = readListsOf(
  `${FOLDER}/code-questions.txt`,
  'ordinary',
  'attacks',
);
