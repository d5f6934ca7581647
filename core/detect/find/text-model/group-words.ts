import { ADJECTIVES, GENDERED, NOUNS } from '../bias-group-names.ts';
import { CLASSES_OF_WORD, GROUP } from './word-classes.ts';

/** Words for people who are not named: implied hatred says "they". */
const POINTING = [
  'they',
  'them',
  'their',
  'theirs',
  'those',
  'these',
  'folk',
  'folks',
  'race',
  'tribe',
  'religion',
];
const GERMAN =
  'ausländer juden muslime flüchtlinge frauen schwule lesben behinderte türken zigeuner schwarze';
const FRENCH =
  'étrangers juifs musulmans arabes femmes homosexuels immigrés migrants noirs handicapés réfugiés roms';
const SPANISH =
  'extranjeros judíos musulmanes moros mujeres homosexuales inmigrantes negros discapacitados gitanos';
const OTHERS =
  'stranieri ebrei musulmani donne immigrati zingari buitenlanders joden moslims vrouwen estrangeiros judeus mulheres cudzoziemcy żydzi kobiety';

const namesOf = (lists: Readonly<Record<string, readonly string[]>>): string[] => Object.values(lists).flat();

const WORDS: ReadonlySet<string> = new Set([
  ...Array.from(CLASSES_OF_WORD).flatMap(([word, classes]) => (classes.includes(GROUP) ? [word] : [])),
  ...[...namesOf(NOUNS), ...namesOf(ADJECTIVES), ...GENDERED].filter((name) => !/[\s-]/.test(name)),
  ...[GERMAN, FRENCH, SPANISH, OTHERS].flatMap((words) => words.split(' ')),
  ...POINTING,
]);
const WORD = /\p{L}+/gu;

/** Whether a span of text names a group of people or refers to one. */
export const speaksOfAGroup = (text: string): boolean =>
  (text.toLowerCase().match(WORD) ?? []).some((word) => WORDS.has(word));

const UNNAMED = 1;

/** Score penalty for hatred when nobody is named: it is implied then, and must be plainer. */
export const unnamedGroupPenalty = (text: string): number => (speaksOfAGroup(text) ? 0 : UNNAMED);
