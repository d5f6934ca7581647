import { ADJECTIVES, GENDERED, NOUNS } from '../bias-group-names.ts';
import groups from '../lists/bias-groups.json' with { type: 'json' };
import { CLASSES_OF_WORD, GROUP } from './word-classes.ts';

const namesOf = (lists: Readonly<Record<string, readonly string[]>>): string[] => Object.values(lists).flat();

const WORDS: ReadonlySet<string> = new Set([
  ...Array.from(CLASSES_OF_WORD).flatMap(([word, classes]) => (classes.includes(GROUP) ? [word] : [])),
  ...[...namesOf(NOUNS), ...namesOf(ADJECTIVES), ...GENDERED].filter((name) => !/[\s-]/.test(name)),
  ...namesOf(groups.inOtherLanguages),
  // Words for people who are not named: implied hatred says "they".
  ...groups.pointing,
]);
const WORD = /\p{L}+/gu;

/** Whether a span of text names a group of people or refers to one. */
export const mentionsGroup = (text: string): boolean =>
  (text.toLowerCase().match(WORD) ?? []).some((word) => WORDS.has(word));

const UNNAMED = 1;

/** Score penalty for hatred that names no group: implied hatred must be more explicit to count. */
export const unnamedGroupPenalty = (text: string): number => (mentionsGroup(text) ? 0 : UNNAMED);
