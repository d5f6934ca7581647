import { isAsciiAlphanumeric } from '../../read/characters.ts';
import { NumberList } from '../../read/number-list.ts';
import { CLASSES_OF_WORD } from './word-classes.ts';

/** Number of feature buckets. Features are numbered by hash, so no list of them is needed. A power of two. */
export const BUCKETS = 2 ** 17;

/** The words of a text with their features. */
export interface TextFeatures {
  /** Words and marks. */
  readonly count: number;
  /** Start and end of each in the text, in UTF-16 code units. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Buckets; those of word `i` are `features[firsts[i]]` to `features[firsts[i + 1] - 1]`. */
  readonly features: Uint32Array;
  readonly firsts: Uint32Array;
}

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

/** Mixes the bits, so that the lower ones depend on all of them. */
function bucketOf(hash: number): number {
  let mixed = hash ^ (hash >>> 15);
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  return mixed & (BUCKETS - 1);
}

/** Kinds of features: equal words of different kinds are different features. */
const [WORD, PAIR, SKIP, LETTERS, CLASS, CLASS_PAIR, BEFORE_CLASS, AFTER_CLASS] = [
  11, 23, 37, 41, 53, 67, 71, 83,
];

const MAX_WORD = 40;
/** Runs of four letters in words, for word stems and for spellings missing from every list. */
const LETTER_RUN = 4;
/** Class words farther apart than CLASS_REACH are unrelated; within NEAR they are neighbours. */
const [CLASS_REACH, NEAR] = [8, 3];
const CLASS_WORDS = 5;
const ENDS_SENTENCE = '.!?\n';
/** Marks that indicate the structure of a text. */
const MARKS = '.!?\n:"{}<>[]#*`';

const LETTER = /[\p{L}\p{N}]/u;
const APOSTROPHE = 39;
const [OTHER, IN_WORD, MARK] = [0, 1, 2];

/** The class of a code unit. */
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
/** The same for characters of words, and 0 for all others, so one look-up per character suffices. */
const PLAIN_IN_WORD = PLAIN_ASCII.map((plain, unit) => (KINDS[unit] === IN_WORD ? plain : 0));
const PLAIN = new Map<number, number>();

/** The letter in lower case without its accent. */
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

/** Classes by the word's hash, which has already been computed. */
const CLASSES_OF_HASH: ReadonlyMap<number, readonly number[]> = new Map(
  Array.from(CLASSES_OF_WORD, ([word, classes]) => [hashOf(word), classes] as const),
);
/** Most words have no class; checking this bit first avoids their look-up. */
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

/** Marks the start and the end of a word's letters. */
const END_OF_WORD = 95;

/** Upper bound for the number of features of a word. */
const MAX_AT_A_WORD = 3 + MAX_WORD + 2 * 3 + 3 * (2 + CLASS_WORDS);

/** Reads the words of a text one by one, with their features. */
class FeatureReader {
  /** Features of the current word; the first `count` are valid. */
  readonly features = new Uint32Array(MAX_AT_A_WORD);
  count = 0;
  #text = '';
  /** Letters of a word between two boundary marks. */
  readonly #units = new Uint16Array(MAX_WORD + 2);
  /** The last class words, as a ring buffer of `CLASS_WORDS`: the index and class of each. */
  readonly #positions = new Int32Array(CLASS_WORDS);
  readonly #numbers = new Int32Array(CLASS_WORDS);
  /** Number of class words, in total and before the current sentence. */
  #classWords = 0;
  #sentence = 0;
  /** Hashes of the current word and the two before it. */
  #word = SEED;
  #before = SEED;
  #beforeThat = SEED;
  #classesBefore = NO_CLASSES;

  constructor() {
    this.#units[0] = END_OF_WORD;
  }

  /** Starts a text; discards all state of the previous one. */
  startText(text: string): void {
    this.#text = text;
    this.#classWords = 0;
    this.#sentence = 0;
    this.#word = SEED;
    this.#before = SEED;
    this.#beforeThat = SEED;
    this.#classesBefore = NO_CLASSES;
  }

  /** Reads the word or mark at an offset; returns its end. */
  readAt(at: number, start: number, isWord: boolean): number {
    const end = isWord ? this.#readWord(start) : start + 1;
    if (!isWord) this.#word = mix(SEED, plainUnit(this.#text.charCodeAt(start)));
    const word = this.#word;
    const features = this.features;
    features[0] = bucketOf(mix(word, WORD));
    features[1] = bucketOf(mix(mix(this.#before, word), PAIR));
    features[2] = bucketOf(mix(mix(this.#beforeThat, word), SKIP));
    this.count = 3;
    if (isWord && end - start >= LETTER_RUN) this.#noteLetters(end - start);
    if (this.#classesBefore.length > 0) {
      for (const number of this.#classesBefore) this.#note(bucketOf(mix(mix(number, word), AFTER_CLASS)));
    }
    const classes = isWord ? classesOf(word) : NO_CLASSES;
    if (classes.length > 0) this.#noteClasses(at, classes);
    else if (!isWord && ENDS_SENTENCE.includes(this.#text[start]!)) this.#sentence = this.#classWords;
    this.#classesBefore = classes;
    this.#beforeThat = this.#before;
    this.#before = word;
    return end;
  }

  #note(bucket: number): void {
    this.features[this.count++] = bucket;
  }

  /** Returns the end of the word at `start`; stores its hash and letters. */
  #readWord(start: number): number {
    const text = this.#text;
    const units = this.#units;
    const limit = Math.min(start + MAX_WORD, text.length);
    let end = start;
    let word = SEED;
    for (; end < limit; end++) {
      const unit = text.charCodeAt(end);
      let plain: number;
      if (unit < 128) {
        plain = PLAIN_IN_WORD[unit]!;
        if (plain === 0) break;
      } else {
        if (kindOf(unit) !== IN_WORD) break;
        plain = plainUnit(unit);
      }
      units[end - start + 1] = plain;
      word = mix(word, plain);
    }
    units[end - start + 1] = END_OF_WORD;
    this.#word = word;
    return end;
  }

  #noteLetters(length: number): void {
    const units = this.#units;
    const features = this.features;
    let next = this.count;
    let [first, second, third] = [units[0]!, units[1]!, units[2]!];
    for (let last = LETTER_RUN - 1; last < length + 2; last++) {
      const fourth = units[last]!;
      features[next++] = bucketOf(mix(mix(mix(mix(LETTERS, first), second), third), fourth));
      first = second;
      second = third;
      third = fourth;
    }
    this.count = next;
  }

  #noteClasses(at: number, classes: readonly number[]): void {
    const positions = this.#positions;
    const numbers = this.#numbers;
    for (const number of classes) {
      this.#note(bucketOf(mix(CLASS, number)));
      this.#note(bucketOf(mix(mix(this.#before, number), BEFORE_CLASS)));
      const first = Math.max(this.#sentence, this.#classWords - CLASS_WORDS);
      for (let other = first; other < this.#classWords; other++) {
        const distance = at - positions[other % CLASS_WORDS]!;
        if (distance === 0 || distance > CLASS_REACH) continue;
        const pair = mix(mix(CLASS_PAIR, numbers[other % CLASS_WORDS]!), number);
        this.#note(bucketOf(mix(pair, distance > NEAR ? 1 : 0)));
      }
    }
    for (const number of classes) {
      positions[this.#classWords % CLASS_WORDS] = at;
      numbers[this.#classWords % CLASS_WORDS] = number;
      this.#classWords++;
    }
  }
}

/**
 * Receives each word of a text with its span. Its features are the first `count` of `features`, until the next call.
 */
type WordVisitor = (start: number, end: number, features: Uint32Array, count: number) => void;

/** Shared, because texts are read one after the other, and most are too short to justify a new reader. */
const reader = new FeatureReader();

/** Visits the words of a text; returns their number. Linear time. */
export function visitWords(text: string, visit: WordVisitor): number {
  reader.startText(text);
  let words = 0;
  for (let i = 0; i < text.length; ) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind === OTHER) {
      i++;
      continue;
    }
    const end = reader.readAt(words++, i, kind === IN_WORD);
    visit(i, end, reader.features, reader.count);
    i = end;
  }
  reader.startText('');
  return words;
}

/** The features of a text, for training. */
export function featuresIn(text: string): TextFeatures {
  const [starts, ends, firsts, features] = [
    new NumberList(),
    new NumberList(),
    new NumberList(),
    new NumberList(),
  ];
  const count = visitWords(text, (start, end, found, length) => {
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
