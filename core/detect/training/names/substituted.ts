import type { SeededRandom } from '../../evaluation/random.ts';
import type { NameLists } from './lists.ts';
import { createMadeUp, type MadeUp } from './made-up.ts';
import { createWriter, type TaggedText } from './tagged-text.ts';

/** Words that speak of a person whose name could stand there. */
const PERSON_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}'-])(?:${[
    'he|she|him|his|someone|somebody|everybody|everyone|nobody|anyone|these people',
    'the (?:user|customer|author|man|woman|boy|girl|patient|client|teacher|student|doctor|manager|protagonist|character|detective|hero|king|employee|speaker|writer)',
    'my (?:friend|boss|sister|brother|wife|husband|son|daughter|neighbor|teacher|cousin|roommate|girlfriend|boyfriend|uncle|aunt)',
    'this (?:guy|girl|man|woman|dude)',
    '(?:I|they|we)(?= (?:was|had|went|said|got|will|would|could|can|did|\\p{L}{3,9}ed) )',
    '(?<![\\p{L}] )you(?= (?:will|would|could|can|should|must|might|had) )',
    '(?<=(?:to|with|for|love|hate|tell|told|ask|asked|from|of|about|like|miss|know|by|and|than) )(?:you|them|her|me|us)',
  ].join('|')})(?![\\p{L}\\p{N}'-])`,
  'giu',
);
const SENTENCE = /[^.!?\n]{12,400}[.!?\n]?/g;

/** A name in place of the pronoun, in the form that fits: "his" becomes "Ann's". */
function nameFor(
  word: string,
  made: MadeUp,
  { below }: SeededRandom,
): readonly [before: string, name: string, behind: string] {
  const behind = word.toLowerCase() === 'his' ? "'s" : '';
  const kind = below(100);
  if (kind < 45) return ['', made.given(), behind];
  if (kind < 80) return ['', made.fullName(), behind];
  if (kind < 90) return ['', made.surname(), behind];
  return [['Mr. ', 'Mrs. ', 'Dr. ', 'Ms. ', 'Professor ', 'Mr '][below(6)]!, made.surname(), behind];
}

function substitute(sentence: string, made: MadeUp, random: SeededRandom): TaggedText {
  const writer = createWriter();
  const inCase = random.below(100) < 12 ? (text: string) => text.toLowerCase() : (text: string) => text;
  let from = 0;
  for (const match of sentence.matchAll(PERSON_WORD)) {
    const [before, name, behind] = nameFor(match[0], made, random);
    writer.add(inCase(sentence.slice(from, match.index) + before));
    writer.add(inCase(name), 'PERSON');
    writer.add(behind);
    from = match.index + match[0].length;
  }
  writer.add(inCase(sentence.slice(from)));
  return { ...writer.finish(), isWeak: true };
}

/** Sentences of ordinary prompts with names in place of pronouns: what stands around names in real prose. */
export function substitutedTexts(
  prompts: readonly TaggedText[],
  random: SeededRandom,
  lists: NameLists,
): readonly TaggedText[] {
  const made = createMadeUp(random, lists);
  return prompts
    .flatMap(({ text }) => text.match(SENTENCE) ?? [])
    .filter((sentence) => sentence.search(PERSON_WORD) !== -1)
    .map((sentence) => substitute(sentence.trim(), made, random));
}
