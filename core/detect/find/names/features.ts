import type { Surroundings } from './guides/surroundings.ts';
import { finishHash, foldedUnit } from './words/letters.ts';
import type { Tokens } from './words/tokens.ts';
import { CAPITALISED, LINE_END, MARK, NUMBER } from './words/word-scan.ts';

/** Number of rows in the table of weights, which features share by hash. */
export const ROWS = 2 ** 18;

/** Maximum number of features per token. */
export const MAX_FEATURES = 60;

const OUTSIDE = 0x1f83d9ab;

/** The row of a kind of feature with up to two values. */
const rowOf = (kind: number, a: number, b: number): number => {
  let hash = Math.imul(a ^ Math.imul(kind, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 16)) & (ROWS - 1);
};

function affix(text: string, from: number, until: number): number {
  let hash = 0;
  for (let at = from; at < until; at++) hash = Math.imul(hash, 0x01000193) ^ foldedUnit(text.charCodeAt(at));
  return hash;
}

const upTo = (limit: number, value: number): number => Math.min(limit, value);

/** A shape including a number's length, so that 5 digits look like a postcode and 2 like a house number. */
function formOf({ shape, start, end, count }: Tokens, token: number): number {
  if (token < 0 || token >= count) return 31;
  const kind = shape[token]!;
  return kind === NUMBER ? 16 + upTo(9, end[token]! - start[token]!) : kind;
}

/** Marks after which a sentence continues: , - & / ' ; ( */
const CONTINUES = new Set([44, 45, 38, 47, 39, 59, 40]);

/** Whether the token starts a sentence or a line, where a capital means little. */
const startsSentence = (tokens: Tokens, token: number): boolean => {
  if (token === 0 || tokens.shape[token - 1] === LINE_END) return true;
  if (tokens.shape[token - 1] !== MARK) return false;
  return !CONTINUES.has(tokens.text.charCodeAt(tokens.start[token - 1]!));
};

/**
 * Writes the rows of a token's features to `rows`; returns their number. Their order matters, because training drops
 * features by index.
 */
export function featuresOf(
  tokens: Tokens,
  surroundings: Surroundings,
  token: number,
  rows: Int32Array,
): number {
  const { text, count, start, end, hash, flags } = tokens;
  const { lineCase, language, previousWord, nextWord, indexInLine, numbersBefore, numbersInLine } =
    surroundings;
  const wl = token > 0 ? hash[token - 1]! : OUTSIDE;
  const wr = token + 1 < count ? hash[token + 1]! : OUTSIDE;
  const form = formOf(tokens, token);
  const shapeInSentence = form === CAPITALISED && startsSentence(tokens, token) ? 12 : form;
  const s = shapeInSentence | (lineCase[token]! << 5);
  const sl = formOf(tokens, token - 1);
  const sr = formOf(tokens, token + 1);
  const srr = formOf(tokens, token + 2);
  const f = flags[token]!;
  const fl = token > 0 ? flags[token - 1]! : 0;
  const fr = token + 1 < count ? flags[token + 1]! : 0;
  const pw = previousWord[token]!;
  const nw = nextWord[token]!;
  const before = pw < 0 ? OUTSIDE : hash[pw]!;
  const ppw = pw < 0 ? -1 : previousWord[pw]!;
  const beforeThat = ppw < 0 ? OUTSIDE : hash[ppw]!;
  const after = nw < 0 ? OUTSIDE : hash[nw]!;
  const fpw = pw < 0 ? 0 : flags[pw]!;
  const fnw = nw < 0 ? 0 : flags[nw]!;
  const spw = formOf(tokens, pw);
  const snw = formOf(tokens, nw);
  const own = f | (s << 8);

  let n = wordRows(tokens, token, rows);
  rows[n++] = rowOf(9, s, 0);
  rows[n++] = rowOf(10, s, sl);
  rows[n++] = rowOf(11, s, sr);
  rows[n++] = rowOf(12, s | (sl << 8), sr);
  rows[n++] = rowOf(14, f, 0);
  rows[n++] = rowOf(15, own, 0);
  rows[n++] = rowOf(16, own, fl);
  rows[n++] = rowOf(17, own, fr);
  rows[n++] = rowOf(18, own, wl);
  rows[n++] = rowOf(19, own, wr);
  rows[n++] = rowOf(20, own, before);
  rows[n++] = rowOf(21, own, after);
  rows[n++] = rowOf(22, s, before);
  rows[n++] = rowOf(23, s, after);
  rows[n++] = rowOf(24, before, beforeThat);
  rows[n++] = rowOf(25, own, finishHash(before) ^ beforeThat);
  rows[n++] = rowOf(26, own, fpw | (spw << 8));
  rows[n++] = rowOf(27, own, fnw | (snw << 8));
  rows[n++] = rowOf(28, fl | (f << 8) | (fr << 16), s);
  n = letterRows(tokens, token, s | (language[token]! << 10), rows, n);
  const line = surroundings.familiarity[token]!;
  rows[n++] = rowOf(47, own, line);
  n = languageRows(tokens, surroundings, token, s, rows, n);
  rows[n++] = rowOf(35, s | (f << 8), upTo(3, indexInLine[token]!));
  const numbers = numbersBefore[token]! | (numbersInLine[token]! << 4);
  rows[n++] = rowOf(42, numbers, s);
  rows[n++] = rowOf(44, f | (s << 8), sr | (srr << 5));
  rows[n++] = rowOf(39, before, after);
  rows[n++] = rowOf(40, wl, wr);
  rows[n++] = rowOf(41, spw | (snw << 5), s);
  if (nw >= 0) rows[n++] = rowOf(45, affix(text, Math.max(start[nw]!, end[nw]! - 2), end[nw]!), own);
  if (pw >= 0) rows[n++] = rowOf(46, affix(text, Math.max(start[pw]!, end[pw]! - 2), end[pw]!), own);
  return labelRows(surroundings.label[token]!, own, wl, rows, n);
}

/** Features of the word and its neighbours; these come first. */
function wordRows({ count, hash }: Tokens, token: number, rows: Int32Array): number {
  const w = hash[token]!;
  const wl = token > 0 ? hash[token - 1]! : OUTSIDE;
  const wr = token + 1 < count ? hash[token + 1]! : OUTSIDE;
  const wll = token > 1 ? hash[token - 2]! : OUTSIDE;
  const wrr = token + 2 < count ? hash[token + 2]! : OUTSIDE;
  rows[0] = rowOf(1, w, 0);
  rows[1] = rowOf(2, wl, 0);
  rows[2] = rowOf(3, wr, 0);
  rows[3] = rowOf(4, wll, 0);
  rows[4] = rowOf(5, wrr, 0);
  rows[5] = rowOf(6, wl, w);
  rows[6] = rowOf(7, w, wr);
  rows[7] = rowOf(8, wl, wll);
  return 8;
}

/** Features of the line's language, and of how name-like the word and its neighbours are. `s`: its shape. */
function languageRows(
  tokens: Tokens,
  { language, likeness, previousWord, nextWord }: Surroundings,
  token: number,
  s: number,
  rows: Int32Array,
  at: number,
): number {
  const { count, hash, flags } = tokens;
  const f = flags[token]!;
  const fl = token > 0 ? flags[token - 1]! : 0;
  const fr = token + 1 < count ? flags[token + 1]! : 0;
  const wl = token > 0 ? hash[token - 1]! : OUTSIDE;
  const [pw, nw] = [previousWord[token]!, nextWord[token]!];
  const spw = formOf(tokens, pw);
  const snw = formOf(tokens, nw);
  const own = f | (s << 8);
  const index = language[token]! | (s << 5);
  const like = likeness[token]!;
  const likeBefore = pw < 0 ? 0 : likeness[pw]!;
  const likeAfter = nw < 0 ? 0 : likeness[nw]!;
  rows[at] = rowOf(48, index | (f << 16), (s & FORM) | (spw << 5) | (snw << 10));
  rows[at + 1] = rowOf(49, index, formOf(tokens, token + 1) | (fr << 8));
  rows[at + 2] = rowOf(50, index, wl);
  rows[at + 3] = rowOf(51, index, like | (spw << 4));
  rows[at + 4] = rowOf(52, own, like | (likeAfter << 4) | (snw << 8));
  rows[at + 5] = rowOf(53, own, like | (likeBefore << 4) | (spw << 8));
  rows[at + 6] = rowOf(54, index | (like << 16), f);
  rows[at + 7] = rowOf(55, index, fl | (f << 8) | (fr << 16));
  return at + 8;
}

/** Mask for the part of a shape without the case of its line. */
const FORM = 31;

/** Features of a word's first and last letters and of its length. */
function letterRows(
  { text, start, end }: Tokens,
  token: number,
  s: number,
  rows: Int32Array,
  at: number,
): number {
  const first = start[token]!;
  const last = end[token]!;
  const length = last - first;
  let [two, three, four] = [0, 0, 0];
  for (let index = last - 1; index >= first && index >= last - 4; index--) {
    four = Math.imul(four, 0x01000193) ^ foldedUnit(text.charCodeAt(index));
    if (index >= last - 3) three = four;
    if (index >= last - 2) two = four;
  }
  rows[at] = rowOf(30, three, s);
  rows[at + 1] = rowOf(31, two, upTo(8, length));
  rows[at + 2] = rowOf(32, four, 0);
  rows[at + 3] = rowOf(33, affix(text, first, Math.min(last, first + 3)), s);
  rows[at + 4] = rowOf(34, s, upTo(12, length));
  return at + 5;
}

/** Features of the label before the token, if any. */
function labelRows(key: number, own: number, wl: number, rows: Int32Array, at: number): number {
  if (key === 0) return at;
  rows[at] = rowOf(36, key, 0);
  rows[at + 1] = rowOf(37, key, own);
  rows[at + 2] = rowOf(38, key, wl);
  return at + 3;
}
