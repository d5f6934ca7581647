import type { SeededRandom } from '../../samples/random.ts';
import type { NameLists } from './languages/lists.ts';
import { createWriter, type TaggedText } from './languages/tagged-text.ts';
import { createMadeUp, type MadeUp } from './made-up.ts';

/** Words for a person that a name could replace. */
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

/** A name to replace the pronoun, in the matching form: "his" becomes "Ann's". */
function nameFor(
  word: string,
  made: MadeUp,
  { below }: SeededRandom,
): readonly [before: string, name: string, suffix: string] {
  const suffix = word.toLowerCase() === 'his' ? "'s" : '';
  const kind = below(100);
  if (kind < 45) return ['', made.given(), suffix];
  if (kind < 80) return ['', made.fullName(), suffix];
  if (kind < 90) return ['', made.surname(), suffix];
  return [['Mr. ', 'Mrs. ', 'Dr. ', 'Ms. ', 'Professor ', 'Mr '][below(6)]!, made.surname(), suffix];
}

/** Words for a thing or a place that a name could replace. */
const THING_WORD =
  /(?<![\p{L}\p{N}'-])(?:it|the (?:company|product|app|application|system|website|software|project|tool|program|game|book|movie|film|store|shop|team|bank|brand|model|code|database|server)|the (?:city|country|town|village|area|island|region|capital)|(?<=(?:from|in|over|live|lives|go|going|went|been) )(?:here|there))(?![\p{L}\p{N}'-])/giu;
const PLACE_WORD = /here|there|city|country|town|village|area|island|region|capital/i;

/** There are more sentences about things than needed. */
const THINGS_PER_HUNDRED = 50;

/** Replaces a pattern's matches in a sentence with names. */
function fillIn(
  sentence: string,
  pattern: RegExp,
  random: SeededRandom,
  put: (word: string, writer: ReturnType<typeof createWriter>, inCase: (text: string) => string) => void,
): TaggedText {
  const writer = createWriter();
  const inCase = random.below(100) < 12 ? (text: string) => text.toLowerCase() : (text: string) => text;
  let from = 0;
  for (const match of sentence.matchAll(pattern)) {
    writer.add(inCase(sentence.slice(from, match.index)));
    put(match[0], writer, inCase);
    from = match.index + match[0].length;
  }
  writer.add(inCase(sentence.slice(from)));
  return { ...writer.finish(), isWeak: true };
}

/** Sentences of ordinary prompts with names instead of pronouns: contexts of names in real prose. */
export function substitutedTexts(
  prompts: readonly TaggedText[],
  random: SeededRandom,
  lists: NameLists,
): readonly TaggedText[] {
  const made = createMadeUp(random, lists);
  const sentences = prompts
    .flatMap(({ text }) => text.match(SENTENCE) ?? [])
    .map((sentence) => sentence.trim());
  const persons = sentences
    .filter((sentence) => sentence.search(PERSON_WORD) !== -1)
    .map((sentence) =>
      fillIn(sentence, PERSON_WORD, random, (word, writer, inCase) => {
        const [before, name, suffix] = nameFor(word, made, random);
        writer.add(inCase(before));
        writer.add(inCase(name), 'PERSON');
        writer.add(suffix);
      }),
    );
  const things = sentences
    .filter((sentence) => sentence.search(THING_WORD) !== -1 && random.below(100) < THINGS_PER_HUNDRED)
    .map((sentence) =>
      fillIn(sentence, THING_WORD, random, (word, writer, inCase) => {
        if (PLACE_WORD.test(word)) writer.add(inCase(made.city()), 'PLACE');
        else
          writer.add(inCase(random.below(2) === 0 ? made.organization() : made.properNoun()), 'ORGANIZATION');
      }),
    );
  return [...persons, ...things];
}
