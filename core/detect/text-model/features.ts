import { isAsciiAlphanumeric } from '../characters.ts';
import { numberList } from '../number-list.ts';
import { CLASSES_OF_WORD } from './word-classes.ts';

/** Features are numbered by hash, so that no list of them is kept. A power of two. */
export const BUCKETS = 2 ** 17;

/** The words of a text and what the model sees at each of them. */
export interface TextFeatures {
  /** Words and marks. */
  readonly count: number;
  /** Where each begins and ends in the text, UTF-16 code units. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Buckets; those of word `i` are `features[firsts[i]]` to `features[firsts[i + 1] - 1]`. */
  readonly features: Uint32Array;
  readonly firsts: Uint32Array;
}

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

/** Spreads the bits, so that the lower ones depend on all. */
function bucketOf(hash: number): number {
  let mixed = hash ^ (hash >>> 15);
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  return mixed & (BUCKETS - 1);
}

/** Kinds of features, so that equal words of different kinds are not the same. */
const [WORD, PAIR, SKIP, LETTERS, CLASS, CLASS_PAIR, BEFORE_CLASS, AFTER_CLASS] = [
  11, 23, 37, 41, 53, 67, 71, 83,
];

const MAX_WORD = 40;
/** Runs of four letters in words, for word stems and for spellings that no list has. */
const LETTER_RUN = 4;
/** Class words that stand further apart have nothing to do with each other; up to `NEAR` they are neighbours. */
const [CLASS_REACH, NEAR] = [8, 3];
const CLASS_WORDS = 5;
const ENDS_SENTENCE = '.!?\n';
/** Marks that say something about how a text is built. */
const MARKS = '.!?\n:"{}<>[]#*`';

const LETTER = /[\p{L}\p{N}]/u;
const APOSTROPHE = 39;
const [OTHER, IN_WORD, MARK] = [0, 1, 2];

/** What a unit is for the model. */
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (isAsciiAlphanumeric(unit) || unit === APOSTROPHE) return IN_WORD;
  return MARKS.includes(String.fromCharCode(unit)) ? MARK : OTHER;
});

function kindOf(unit: number): number {
  if (unit < 128) return KINDS[unit]!;
  return unit >= 0xc0 && LETTER.test(String.fromCharCode(unit)) ? IN_WORD : OTHER;
}

const PLAIN_ASCII = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit >= 65 && unit <= 90 ? unit + 32 : unit,
);
const PLAIN = new Map<number, number>();

/** The letter in lower case and without its accent. */
function plainUnit(unit: number): number {
  if (unit < 128) return PLAIN_ASCII[unit]!;
  let plain = PLAIN.get(unit);
  if (plain === undefined) {
    plain = String.fromCharCode(unit).toLowerCase().normalize('NFD').charCodeAt(0);
    PLAIN.set(unit, plain);
  }
  return plain;
}

const NO_CLASSES: readonly number[] = [];

/** The classes by the hash of the word, which is at hand already. */
const CLASSES_OF_HASH: ReadonlyMap<number, readonly number[]> = new Map(
  Array.from(CLASSES_OF_WORD, ([word, classes]) => [hashOf(word), classes] as const),
);
/** Most words have no class: one look here spares them the look-up. */
const SLOTS = 2 ** 14;
const MAY_HAVE_CLASSES = new Uint8Array(SLOTS);
for (const hash of CLASSES_OF_HASH.keys()) MAY_HAVE_CLASSES[hash & (SLOTS - 1)] = 1;

const classesOf = (hash: number): readonly number[] =>
  MAY_HAVE_CLASSES[hash & (SLOTS - 1)] === 1 ? (CLASSES_OF_HASH.get(hash) ?? NO_CLASSES) : NO_CLASSES;

function hashOf(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) hash = mix(hash, plainUnit(word.charCodeAt(i)));
  return hash;
}

/** More features than one word has. */
const MOST_AT_A_WORD = 3 + MAX_WORD + 2 * 3 + 3 * (2 + CLASS_WORDS);

/** Takes the words of a text one after the other, and gives the features of each. */
function featureReader(text: string) {
  const units = new Uint16Array(MAX_WORD + 2);
  units[0] = 95;
  const features = new Uint32Array(MOST_AT_A_WORD);
  let noted = 0;
  /** The last class words, by their number modulo `CLASS_WORDS`: where each stands, and its class. */
  const places = new Int32Array(CLASS_WORDS);
  const numbers = new Int32Array(CLASS_WORDS);
  let [classWords, sentence] = [0, 0];
  let [word, before, beforeThat] = [SEED, SEED, SEED];
  let classesBefore = NO_CLASSES;

  /** Where the word at `start` ends; leaves its hash, and its letters in `units` between two marks of its ends. */
  const read = (start: number): number => {
    const limit = Math.min(start + MAX_WORD, text.length);
    let end = start;
    word = SEED;
    for (; end < limit; end++) {
      const unit = text.charCodeAt(end);
      if (kindOf(unit) !== IN_WORD) break;
      const plain = plainUnit(unit);
      units[end - start + 1] = plain;
      word = mix(word, plain);
    }
    units[end - start + 1] = 95;
    return end;
  };
  const noteLetters = (length: number): void => {
    for (let from = 0; from + LETTER_RUN <= length + 2; from++) {
      const run = mix(
        mix(mix(mix(LETTERS, units[from]!), units[from + 1]!), units[from + 2]!),
        units[from + 3]!,
      );
      features[noted++] = bucketOf(run);
    }
  };
  const noteClasses = (at: number, classes: readonly number[]): void => {
    for (const number of classes) {
      features[noted++] = bucketOf(mix(CLASS, number));
      features[noted++] = bucketOf(mix(mix(before, number), BEFORE_CLASS));
      for (let other = Math.max(sentence, classWords - CLASS_WORDS); other < classWords; other++) {
        const distance = at - places[other % CLASS_WORDS]!;
        if (distance === 0 || distance > CLASS_REACH) continue;
        const pair = mix(mix(CLASS_PAIR, numbers[other % CLASS_WORDS]!), number);
        features[noted++] = bucketOf(mix(pair, distance > NEAR ? 1 : 0));
      }
    }
    for (const number of classes) {
      places[classWords % CLASS_WORDS] = at;
      numbers[classWords % CLASS_WORDS] = number;
      classWords++;
    }
  };
  /** Leaves the buckets of a word, or of a mark, in `features`; where it ends. */
  const readAt = (at: number, start: number, isWord: boolean): number => {
    noted = 0;
    const end = isWord ? read(start) : start + 1;
    if (!isWord) word = mix(SEED, plainUnit(text.charCodeAt(start)));
    features[noted++] = bucketOf(mix(word, WORD));
    features[noted++] = bucketOf(mix(mix(before, word), PAIR));
    features[noted++] = bucketOf(mix(mix(beforeThat, word), SKIP));
    if (isWord && end - start >= LETTER_RUN) noteLetters(end - start);
    for (const number of classesBefore) features[noted++] = bucketOf(mix(mix(number, word), AFTER_CLASS));
    const classes = isWord ? classesOf(word) : NO_CLASSES;
    if (classes.length > 0) noteClasses(at, classes);
    else if (!isWord && ENDS_SENTENCE.includes(text[start]!)) sentence = classWords;
    classesBefore = classes;
    beforeThat = before;
    before = word;
    return end;
  };
  return { features, readAt, count: () => noted };
}

/** Units between two yields. */
const STRETCH = 4_096;

/** Gets each word of a text with its place; its features are the first `count` of `features`, until the next word. */
export type WordVisitor = (start: number, end: number, features: Uint32Array, count: number) => void;

/** Walks through the words of a text; how many there are. Time in proportion to the text; yields on the way. */
export function* visitWordsInSteps(text: string, visit: WordVisitor): Generator<void, number> {
  const { features, readAt, count } = featureReader(text);
  let words = 0;
  let stop = STRETCH;
  for (let i = 0; i < text.length; ) {
    if (i >= stop) {
      stop = i + STRETCH;
      yield;
    }
    const kind = kindOf(text.charCodeAt(i));
    if (kind === OTHER) {
      i++;
      continue;
    }
    const end = readAt(words++, i, kind === IN_WORD);
    visit(i, end, features, count());
    i = end;
  }
  return words;
}

/** What the model sees of a text, for training. */
export function* featuresInSteps(text: string): Generator<void, TextFeatures> {
  const [starts, ends, firsts, features] = [numberList(), numberList(), numberList(), numberList()];
  const count = yield* visitWordsInSteps(text, (start, end, found, length) => {
    starts.push(start);
    ends.push(end);
    firsts.push(features.length);
    for (let at = 0; at < length; at++) features.push(found[at]!);
  });
  firsts.push(features.length);
  const [startsOf, endsOf, firstsOf, featuresOf] = [starts, ends, firsts, features].map((list) =>
    Uint32Array.from({ length: list.length }, (_, at) => list.at(at)),
  );
  return { count, starts: startsOf!, ends: endsOf!, features: featuresOf!, firsts: firstsOf! };
}
