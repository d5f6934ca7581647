import { isHan, isHangul, isKana } from './candidates.ts';
import {
  CHINESE_SURNAMES,
  JAPANESE_SURNAMES,
  KOREAN_SURNAMES,
  ORDINARY_CHARACTERS,
  SHORT_JAPANESE_SURNAMES,
} from './surnames.ts';
import {
  AFTER_INTRODUCED,
  INTRODUCTIONS,
  KOREAN_ENDINGS,
  KOREAN_TITLES,
  LABELS,
  LAST_OF_GIVEN,
  LONGEST_KOREAN,
  LONGEST_LABEL,
  POLITE_TITLES,
  TITLES,
  TITLES_OF_ONE,
} from './titles.ts';

/** Receives a name, with the margin that the tagger would give it. */
type Push = (start: number, end: number, margin: number) => void;

const [SURE, LIKELY] = [300, 150];
const LONGEST_NAME = 6;
const LONGEST_TITLE = 3;
const LONGEST_KATAKANA = 20;

const isKatakana = (unit: number): boolean => unit >= 0x30a1 && unit <= 0x30fc;

/** Length of the surname at `at`; 0 if there is none. `length`: number of characters of the whole name. */
function surnameAt(text: string, at: number, length: number, isStart: boolean): number {
  for (const size of [3, 2]) {
    if (length < size) continue;
    const surname = text.slice(at, at + size);
    if (JAPANESE_SURNAMES.has(surname) && length - size <= 3) return size;
    if (CHINESE_SURNAMES.has(surname) && length - size <= 2) return size;
  }
  const first = text.charAt(at);
  if (CHINESE_SURNAMES.has(first) && length <= 3 && (isStart || !ORDINARY_CHARACTERS.has(first))) return 1;
  return SHORT_JAPANESE_SURNAMES.has(first) && isStart && length <= 3 ? 1 : 0;
}

/** Reads names in one run of East Asian letters, from `start` to `end` of a text. */
export class EastAsianNames {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #push: Push;
  /** Text before this is not read again: it is part of a name or a title. */
  #done: number;

  constructor(text: string, start: number, end: number, push: Push) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#push = push;
    this.#done = start;
  }

  read(): void {
    if (isHangul(this.#text.charCodeAt(this.#start))) {
      this.#readKorean();
      return;
    }
    for (let at = this.#start, runStart = at; at < this.#end; at++) {
      const wasHan = at > this.#start && isHan(this.#text.charCodeAt(at - 1));
      if (!wasHan) {
        runStart = at;
        this.#readWholeRun(at);
      }
      this.#readIntroduced(at);
      const title = this.#titleAt(at);
      if (title === 0) continue;
      if (wasHan) this.#readBefore(runStart, at, title);
      else if (at > this.#start) this.#readKana(at);
    }
  }

  #is(list: ReadonlySet<string>, at: number, length: number): boolean {
    return at + length <= this.#end && list.has(this.#text.slice(at, at + length));
  }

  /** Length of the title at `at`; 0 if there is none. */
  #titleAt(at: number): number {
    for (let length = LONGEST_TITLE; length > 0; length--) if (this.#is(TITLES, at, length)) return length;
    return 0;
  }

  #take(start: number, end: number, margin: number): void {
    if (start < this.#done) return;
    this.#push(start, end, margin);
    this.#done = end;
  }

  /** Reads a name that ends where a title starts. */
  #readBefore(runStart: number, title: number, titleLength: number): void {
    const text = this.#text;
    const first = Math.max(runStart, title - LONGEST_NAME, this.#done);
    if (first === title) return;
    for (let at = first; at < title; at++) {
      const isStart = at === runStart;
      const length = title - at;
      const surname = surnameAt(text, at, length, isStart);
      if (surname === 0 || (length > surname && length - surname > 3)) continue;
      if (surname === 1 && !this.#mayBeShort(at, length, isStart, title, titleLength)) continue;
      this.#take(at, title, length > surname ? SURE : LIKELY);
      return;
    }
  }

  /** Whether a one-character surname is plausible with the title after it. */
  #mayBeShort(at: number, length: number, isStart: boolean, title: number, titleLength: number): boolean {
    const first = this.#text.charAt(at);
    const isOfOne = this.#is(TITLES_OF_ONE, title, titleLength);
    if (SHORT_JAPANESE_SURNAMES.has(first) && isStart) {
      if (length === 1 || LAST_OF_GIVEN.has(this.#text.charAt(title - 1))) return true;
    }
    if (isOfOne || !CHINESE_SURNAMES.has(first)) return false;
    return !ORDINARY_CHARACTERS.has(first) || (isStart && this.#is(POLITE_TITLES, title, titleLength));
  }

  /** ジョン・スミスさん, 山田はなこさん */
  #readKana(title: number): void {
    const text = this.#text;
    let at = title;
    while (at > this.#done && title - at < LONGEST_KATAKANA && isKatakana(text.charCodeAt(at - 1))) at--;
    if (text.slice(at, title).includes('・')) {
      this.#take(at, title, LIKELY);
      return;
    }
    let given = title;
    while (given > this.#done && title - given < 4 && isKana(text.charCodeAt(given - 1))) given--;
    if (title - given < 2) return;
    for (const size of [2, 3]) {
      const start = given - size;
      if (start >= this.#done && JAPANESE_SURNAMES.has(text.slice(start, given)))
        this.#take(start, title, SURE);
    }
  }

  /** 我叫李伟 */
  #readIntroduced(at: number): void {
    if (!this.#is(INTRODUCTIONS, at, 2)) return;
    const name = at + 2;
    for (let length = 2; length <= 4; length++) {
      const end = name + length;
      if (end > this.#end || !isHan(this.#text.charCodeAt(end - 1))) return;
      const ends = end === this.#end || AFTER_INTRODUCED.has(this.#text.charAt(end));
      const surname = surnameAt(this.#text, name, length, true);
      if (ends && surname > 0 && length > surname && !JAPANESE_SURNAMES.has(this.#text.slice(name, end))) {
        this.#take(name, end, SURE);
        return;
      }
    }
  }

  /** A run of Chinese characters that is a name as a whole, because of a label before it or its form. */
  #readWholeRun(at: number): void {
    let end = at;
    while (end < this.#end && end - at <= LONGEST_NAME && isHan(this.#text.charCodeAt(end))) end++;
    const length = end - at;
    if (length < 2 || length > LONGEST_NAME) return;
    const surname = surnameAt(this.#text, at, length, true);
    if (surname === 0) return;
    const isFollowed = end < this.#end && !isKana(this.#text.charCodeAt(end));
    if (isFollowed) return;
    if (at === this.#start && this.#isLabelled(at)) {
      this.#take(at, end, SURE);
      return;
    }
    const rest = length - surname;
    const isJapanese = JAPANESE_SURNAMES.has(this.#text.slice(at, at + surname));
    if (isJapanese && rest > 0 && LAST_OF_GIVEN.has(this.#text.charAt(end - 1))) this.#take(at, end, LIKELY);
  }

  /** Whether a label such as "氏名：" directly precedes. */
  #isLabelled(at: number): boolean {
    const text = this.#text;
    let end = at;
    let hasMark = false;
    for (let attempts = 0; attempts < 4 && end > 0; attempts++) {
      const mark = text.charAt(end - 1);
      if (!' :：\t"”=＝　'.includes(mark)) break;
      if (mark !== ' ' && mark !== '　') hasMark = true;
      end--;
    }
    if (!hasMark) return false;
    for (let length = LONGEST_LABEL; length > 1; length--) {
      if (length <= end && LABELS.has(text.slice(end - length, end))) return true;
    }
    return false;
  }

  /** Korean words are separated by blanks and include their particles and titles. */
  #readKorean(): void {
    const [text, start] = [this.#text, this.#start];
    const two = KOREAN_SURNAMES.has(text.slice(start, start + 2)) ? 2 : 0;
    for (const length of two === 0 ? [3] : [4, 3]) {
      const end = start + length;
      if (end > this.#end || !KOREAN_SURNAMES.has(text.slice(start, start + (two || 1)))) continue;
      const after = text.slice(end, Math.min(this.#end, end + LONGEST_KOREAN + 2));
      const margin = this.#koreanMargin(end, after);
      if (margin === 0) continue;
      this.#take(start, end, margin);
      return;
    }
  }

  /** The margin of a name that ends at `end`; 0 if it is not a name. `after`: the rest of its word. */
  #koreanMargin(end: number, after: string): number {
    const [text, start] = [this.#text, this.#start];
    const last = text.charAt(end - 1);
    if (last !== '자' && isTitle(after, 1)) return SURE;
    if (after === '' && text.charAt(end) === ' ') {
      const next = text.slice(end + 1, end + 3 + LONGEST_KOREAN);
      if (next.startsWith('씨') ? isTitle(next, 0) : !ENDS_NO_NAME.has(last) && isTitle(next, 1)) return SURE;
    }
    if ((after === '' || KOREAN_ENDINGS.has(after)) && this.#isLabelled(start)) return SURE;
    const isIntroduced = INTRODUCING_ENDINGS.has(after);
    if (!isIntroduced) return 0;
    const before = text.slice(Math.max(0, start - KOREAN_BEFORE), start);
    return KOREAN_INTRODUCTION.test(before) ? LIKELY : 0;
  }
}

/** Endings of words before a title that are not names: particles, parties, universities. */
const ENDS_NO_NAME: ReadonlySet<string> = new Set('은는이가을를의에된픈난당대적한할로와과도자회청부국사');
const INTRODUCING_ENDINGS: ReadonlySet<string> = new Set([
  '입니다',
  '이라고',
  '라고',
  '이에요',
  '예요',
  '입니다만',
]);
const KOREAN_INTRODUCTION = /(?:저는|나는|제가|이름은|담당자는?|대표는?) $/;
const KOREAN_BEFORE = 6;

/** A title, alone or with a particle. A title of fewer than `least` characters must be 씨 or 님. */
function isTitle(word: string, least: number): boolean {
  const [first = ''] = word.split(/[^가-힣]/, 1);
  for (let length = Math.min(LONGEST_KOREAN, first.length); length > 0; length--) {
    const title = first.slice(0, length);
    const rest = first.slice(length);
    if (!KOREAN_TITLES.has(title) || (length <= least && title !== '씨' && title !== '님')) continue;
    if (rest === '' || KOREAN_ENDINGS.has(rest)) return true;
  }
  return false;
}

/** Whether this is a letter of the scripts read here. */
export const isEastAsian = (unit: number): boolean => isHan(unit) || isKana(unit) || isHangul(unit);
