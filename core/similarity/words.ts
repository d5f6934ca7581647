/**
 * The words of a text as two 32-bit hashes each, without a key. A word is a run of letters, ignoring case, accents and
 * apostrophes. All numbers, and words that contain a digit, count as the same word, and adjacent ones as one. In
 * scripts without spaces, every two letters form a word. Anything that is neither letter nor digit separates words,
 * including surrogates: emoji, and the few scripts beyond U+FFFF.
 */
interface Words {
  /**
   * Information content: 2 for each different word, 1 for each different pair of letters without spaces, up to
   * `enough`.
   */
  readonly weight: number;
  /** Two hashes of each word, in the order of the text. */
  readonly hashes: readonly number[];
}

/** Code units read at the start and at the end of a text; the middle is skipped. */
export const READ_UNITS = 8_192;

/** Classes of units that are not letters; letters map to their lower case. */
const SEPARATOR = 1;
const IGNORED = 2;
const DIGIT = 3;

/** How each code unit is read; 0: not looked up yet. */
const readAs = new Uint16Array(65_536);

const IS_IGNORED = /['’\p{Mn}\p{Cf}]/u;
const IS_NUMBER = /\p{N}/u;
const IS_LETTER = /[\p{L}\p{M}]/u;

/** Only called for a single unit: compatibility normalization of a whole text takes quadratic time. */
function learn(unit: number): number {
  const letter = String.fromCharCode(unit);
  let meaning = SEPARATOR;
  if (IS_IGNORED.test(letter)) meaning = IGNORED;
  else if (IS_NUMBER.test(letter)) meaning = DIGIT;
  else if (IS_LETTER.test(letter)) {
    const bases = Array.from(letter.normalize('NFKD').toLowerCase()).filter((base) => !IS_IGNORED.test(base));
    // Syllables and ligatures decompose into several letters; they stay as they are.
    const plain = bases.length === 1 ? bases[0]! : letter.toLowerCase();
    meaning = plain.charCodeAt(0);
  }
  readAs[unit] = meaning;
  return meaning;
}

/** The first letter of a script without spaces; most letters that are ever read are below it. */
const FIRST_UNSPACED = 0x0e00;

/** Thai, Lao, Tibetan and Burmese; Khmer; kana and ideographs. */
const isUnspaced = (letter: number): boolean =>
  letter >= FIRST_UNSPACED &&
  (letter <= 0x109f ||
    (letter >= 0x1780 && letter <= 0x17ff) ||
    (letter >= 0x3040 && letter <= 0x30ff) ||
    (letter >= 0x3400 && letter <= 0x9fff));

/** All are signed 32-bit integers: with others the engine would compute in floating point. */
const [START_1, START_2] = [0x811c9dc5 | 0, 0x3c6ef372 | 0];
const [TIMES_1, TIMES_2] = [0x01000193, 0x5bd1e995];
const SPACE = 32;
/** Weights of a word and of a pair of letters without spaces. */
const [OF_WORD, OF_PAIR] = [2, 1];
/** Hashes of every number. */
const [NUMBER_1, NUMBER_2] = [1, 1];

/**
 * The words of a text; of a longer text, those of the first and last `READ_UNITS` code units. `enough`: the weight at
 * which counting stops.
 */
export function wordsOf(text: string, enough: number): Words {
  const words = new WordList(enough);
  if (text.length <= 2 * READ_UNITS) read(text, 0, text.length, words);
  else {
    read(text, 0, READ_UNITS, words);
    read(text, text.length - READ_UNITS, text.length, words);
  }
  return words;
}

class WordList implements Words {
  readonly hashes: number[] = [];
  weight = 0;
  private readonly known: number[] = [];
  private readonly enough: number;
  private wasNumber = false;

  constructor(enough: number) {
    this.enough = enough;
  }

  add(one: number, other: number, weight: number): void {
    this.hashes.push(one, other);
    this.wasNumber = false;
    if (this.weight >= this.enough || this.known.includes(one)) return;
    this.known.push(one);
    this.weight += weight;
  }

  addNumber(): void {
    if (!this.wasNumber) this.hashes.push(NUMBER_1, NUMBER_2);
    this.wasNumber = true;
  }
}

function read(text: string, from: number, to: number, words: WordList): void {
  let [one, other] = [START_1, START_2];
  let [isWord, isNumber] = [false, false];
  /** The preceding letter of a script without spaces. */
  let before = 0;
  for (let at = from; at <= to; at += 1) {
    const unit = at === to ? SPACE : text.charCodeAt(at);
    const meaning = readAs[unit] || learn(unit);
    const unspaced = isUnspaced(meaning);
    // Nearly every unit is such a letter.
    if (meaning > DIGIT && !unspaced) {
      one = Math.imul(one ^ meaning, TIMES_1);
      other = (Math.imul(other, TIMES_2) + meaning) | 0;
      isWord = true;
      before = 0;
      continue;
    }
    if (meaning === IGNORED) continue;
    if (meaning === DIGIT) isNumber = true;
    else if (isWord || isNumber) {
      if (isNumber) words.addNumber();
      else words.add(one, other, OF_WORD);
      [one, other] = [START_1, START_2];
      [isWord, isNumber] = [false, false];
    }
    if (unspaced && before !== 0)
      words.add(Math.imul(before, TIMES_1) ^ meaning, Math.imul(meaning, TIMES_2) ^ before, OF_PAIR);
    before = unspaced ? meaning : 0;
  }
}
