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

/** Takes a name with the margin that a tagger would give it. */
type Push = (start: number, end: number, margin: number) => void;

const [SURE, LIKELY] = [300, 150];
const LONGEST_NAME = 6;
const LONGEST_TITLE = 3;
const LONGEST_KATAKANA = 20;

const isKatakana = (unit: number): boolean => unit >= 0x30a1 && unit <= 0x30fc;

/** The length of the surname at `at`; 0 without one. `others`: how many characters the whole name has. */
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

/** Reads names in one run of letters of East Asia, from `start` to `end` of a text. */
export class EastAsianNames {
  readonly #text: string;
  readonly #start: number;
  readonly #end: number;
  readonly #push: Push;
  /** Nothing before it is looked at again: it is part of a name or of a title. */
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

  /** The length of the title at `at`; 0 without one. */
  #titleAt(at: number): number {
    for (let length = LONGEST_TITLE; length > 0; length--) if (this.#is(TITLES, at, length)) return length;
    return 0;
  }

  #take(start: number, end: number, margin: number): void {
    if (start < this.#done) return;
    this.#push(start, end, margin);
    this.#done = end;
  }

  /** A name that ends where a title starts. */
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

  /** Whether a surname of one character goes with the title behind it. */
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

  /** A run of Chinese characters that is a name as a whole: after a label, or of a known form. */
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

  /** "氏名：" directly before. */
  #isLabelled(at: number): boolean {
    const text = this.#text;
    let end = at;
    let hasMark = false;
    for (let looked = 0; looked < 4 && end > 0; looked++) {
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

  /** Words of Korean stand between blanks, with their particles and titles. */
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

  /** 0 when it is no name. `behind`: the rest of the word that starts with what may be one. */
  #koreanMargin(end: number, after: string): number {
    const [text, start] = [this.#text, this.#start];
    const last = text.charAt(end - 1);
    if (last !== '자' && isTitle(after, 1)) return SURE;
    if (after === '' && text.charAt(end) === ' ') {
      const next = text.slice(end + 1, end + 3 + LONGEST_KOREAN);
      if (next.startsWith('씨') ? isTitle(next, 0) : !ENDS_NO_NAME.has(last) && isTitle(next, 1)) return SURE;
    }
    if ((after === '' || KOREAN_ENDINGS.has(after)) && this.#isLabelled(start)) return SURE;
    const isSaid = INTRODUCING_ENDINGS.has(after);
    if (!isSaid) return 0;
    const before = text.slice(Math.max(0, start - KOREAN_BEFORE), start);
    return KOREAN_INTRODUCTION.test(before) ? LIKELY : 0;
  }
}

/** What a word before a title ends with when it is no name: particles, parties, universities. */
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

/** A title, alone or with a particle; one of fewer characters than `least` only when it is 씨 or 님. */
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

/** True for letters that this reads. */
export const isEastAsian = (unit: number): boolean => isHan(unit) || isKana(unit) || isHangul(unit);
