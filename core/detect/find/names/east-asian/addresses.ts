import words from '../../lists/east-asian.json' with { type: 'json' };
import { isHan, isHangul, isKana } from './candidates.ts';

/** Receives an address. */
type Push = (start: number, end: number) => void;

/** Prefectures, provinces and large cities that addresses start with. */
const STARTS: ReadonlySet<string> = new Set(words.beginningsOfAddresses);
const [SHORTEST_START, LONGEST_START] = [2, 4];

/** Endings of the Korean words that form an address, up to the last one before the number. */
const KOREAN_STEP = /^[가-힣\d]{1,12}(?:시|도|군|구|읍|면|동|리|로|길|가)$/;
const KOREAN_STREET = /(?:로|길|동|리|가)$/;
const MAX_STEPS = 6;

/** Districts within the letters before a number, and Chinese words for streets. */
const DISTRICTS = /[市区區郡町村县縣镇鎮鄉乡]/g;
const CHINESE_STREET = /[路街道巷弄村段里条條]$/;
/** Text before an address without a known start. */
const BEFORE = /^.{0,40}[はをにへがでと是在住到于於至址寄往为為:：]/;

const [SHORTEST_HEAD, LONGEST_HEAD] = [4, 40];
/** The house number with its parts: 2-8-1, 3丁目1番3号, 27号3单元502室. */
const TAIL =
  /^[\d０-９]{1,5}(?:[-‐−ー－]?[\d０-９]{1,5}|丁目|番地?|[号號楼樓层層座栋棟幢室巷弄段之のF]|单元|單元|호|층|동|번지|,? (?=\d{1,4}[동호층])){0,14}/;
const LONGEST_TAIL = 48;
const POSTCODE = /(?:〒\s?)?(?<!\d)\d{3}-\d{4}\s?$|(?<!\d)\d{5,6}\s$/;
const POSTCODE_LENGTH = 12;

const isDigit = (unit: number): boolean => (unit >= 48 && unit <= 57) || (unit >= 0xff10 && unit <= 0xff19);

/** A Japanese particle ends an address; the text after it does not belong to it. */
const PARTICLE = /[はがをにへで]/;

/** Offset of the first prefecture, province or large city; -1 if there is none. */
function knownStart(head: string): number {
  for (let at = 0; at < head.length; at++) {
    for (let length = LONGEST_START; length >= SHORTEST_START; length--) {
      if (STARTS.has(head.slice(at, at + length))) return at;
    }
  }
  return -1;
}

/** Start of the address within the letters before its number; -1 if they are not an address. */
function startInHead(head: string, tail: string): number {
  const known = knownStart(head);
  const start = known === -1 ? (BEFORE.exec(head)?.[0].length ?? 0) : known;
  const value = head.slice(start);
  if (value.length < SHORTEST_HEAD || PARTICLE.test(value)) return -1;
  const districts = value.match(DISTRICTS)?.length ?? 0;
  const isStreet = CHINESE_STREET.test(head) && /[号號]/.test(tail);
  const steps = districts + (known === -1 ? 0 : 1) + (isStreet ? 1 : 0);
  return steps > 1 && (districts > 0 || isStreet) ? start : -1;
}

/** Start of the Korean address words that end at `end`; -1 if they are not an address. */
function startInKorean(text: string, from: number, end: number): number {
  const steps = text.slice(Math.max(from, end - LONGEST_HEAD), end).split(' ');
  if (!KOREAN_STREET.test(steps.at(-1) ?? '')) return -1;
  let start = end;
  let count = 0;
  for (let step = steps.length - 1; step >= 0 && count < MAX_STEPS; step--) {
    if (!KOREAN_STEP.test(steps[step]!)) break;
    start -= steps[step]!.length + (count === 0 ? 0 : 1);
    count++;
  }
  return count > 1 ? start : -1;
}

/**
 * Finds Chinese, Japanese and Korean postal addresses in `text` from `from` to `until`: letters with names of
 * districts, then a number. For each number, a bounded span around it is read.
 */
export function findEastAsianAddresses(text: string, from: number, until: number, push: Push): void {
  for (let at = from + 1, done = from; at < until; at++) {
    if (!isDigit(text.charCodeAt(at)) || at < done) continue;
    const before = text.charCodeAt(at - 1);
    if (isDigit(before)) continue;
    const isSpaced = before === 32 && at - 2 >= from && isHangul(text.charCodeAt(at - 2));
    const end = isSpaced ? at - 1 : at;
    const last = text.charCodeAt(end - 1);
    const tail = text.slice(at, Math.min(until, at + LONGEST_TAIL));
    let start = -1;
    if (isHangul(last)) {
      start = startInKorean(text, done, end);
    } else if (isHan(last) || isKana(last)) {
      let head = end;
      while (
        head > done &&
        end - head < LONGEST_HEAD &&
        (isHan(text.charCodeAt(head - 1)) || isKana(text.charCodeAt(head - 1)))
      )
        head--;
      const inHead = startInHead(text.slice(head, end), tail);
      start = inHead === -1 ? -1 : head + inHead;
    }
    if (start === -1) continue;
    const postcode =
      POSTCODE.exec(text.slice(Math.max(done, start - POSTCODE_LENGTH), start))?.[0].length ?? 0;
    done = at + TAIL.exec(tail)![0].length;
    push(start - postcode, done);
  }
}
