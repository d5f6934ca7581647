import { readListsOf } from '../../../samples/lists.ts';

const FOLDER = 'evaluation/sets/blind';

/** Sentences that nothing was tuned on; written without a look at rules, training texts or findings. */
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
/** Code and questions about code, and values of requests. */
export const { ordinary: ORDINARY, attacks: ATTACK_PAYLOADS } = readListsOf(
  `${FOLDER}/code-questions.txt`,
  'ordinary',
  'attacks',
);
