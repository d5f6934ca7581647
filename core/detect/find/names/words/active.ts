import { COMMON, CUE, GIVEN, PARTICLE, PLACE, STREET, SURNAME } from './lexicon.ts';
import type { Tokens } from './tokens.ts';
import {
  ALL_CAPS,
  ALPHANUMERIC,
  CAPITAL,
  CAPITALISED,
  LINE_END,
  LOWER,
  MARK,
  MIXED,
  NUMBER,
} from './word-scan.ts';

/** The case of a line. In a line without capitals, lower case means nothing. */
export const USUAL = 0;
export const ALL_LOWER = 1;
export const ALL_UPPER = 2;

const KNOWN = GIVEN | SURNAME | PLACE | STREET;
const POINT = 46;
/** Words after a cue ("my name is", "dear") that are always worth tagging. */
const CUE_REACH = 3;
/** Maximum number of consecutive marks inside a name or an address: ", ", ".\n". */
const MAX_MARKS = 3;

const isMarkShape = (shape: number): boolean => shape === MARK || shape === LINE_END;
const isNumberShape = (shape: number): boolean => shape === NUMBER || shape === ALPHANUMERIC;

/** Whether a word may be part of a name or an address by itself. */
function isInterestingWord(
  { text, shape, flags, start, end }: Tokens,
  token: number,
  lineCase: number,
): boolean {
  const known = flags[token]!;
  switch (shape[token]) {
    case CAPITALISED:
    case ALL_CAPS:
    case MIXED:
      return (known & COMMON) === 0 || (known & KNOWN) !== 0;
    case CAPITAL:
      return text.charCodeAt(end[token]!) === POINT || (known & COMMON) === 0;
    case LOWER:
      if ((known & COMMON) !== 0) return false;
      // In a text without capitals, an unknown word may be a name.
      return known === 0 ? lineCase === ALL_LOWER && end[token]! - start[token]! > 2 : (known & KNOWN) !== 0;
    default:
      return false;
  }
}

/** A number counts only near a word that may be in an address: `[1, 2, 3]` is not an address. */
function isNearWord({ shape, flags, count }: Tokens, interesting: Uint8Array, token: number): boolean {
  for (let at = Math.max(0, token - 3); at < count && at <= token + 3; at++) {
    if (at !== token && !isNumberShape(shape[at]!) && (interesting[at] === 1 || (flags[at]! & STREET) !== 0))
      return true;
  }
  return false;
}

function markInteresting(tokens: Tokens, lineCase: Uint8Array, interesting: Uint8Array): void {
  const { count, shape } = tokens;
  for (let token = 0; token < count; token++) {
    interesting[token] = isInterestingWord(tokens, token, lineCase[token]!) ? 1 : 0;
  }
  for (let token = 0; token < count; token++) {
    if (isNumberShape(shape[token]!) && isNearWord(tokens, interesting, token)) interesting[token] = 1;
  }
}

/** An ordinary lower-case word, which is not part of a name without other evidence. */
const isPlainWord = ({ shape, flags }: Tokens, token: number): boolean =>
  shape[token] === LOWER && (flags[token]! & (KNOWN | PARTICLE)) === 0 && (flags[token]! & COMMON) !== 0;

/**
 * Marks the tokens worth tagging; no other token is part of a name or an address. False if there are none.
 * `interesting` and `active` must have room for all tokens.
 */
export function markActive(
  tokens: Tokens,
  lineCase: Uint8Array,
  interesting: Uint8Array,
  active: Uint8Array,
): boolean {
  const { count, shape, flags } = tokens;
  markInteresting(tokens, lineCase, interesting);
  active.fill(0, 0, count);
  let any = false;
  let afterCue = 0;
  let passing = false;
  for (let token = 0; token < count; token++) {
    if (isMarkShape(shape[token]!)) {
      if (shape[token] === LINE_END) passing = false;
      continue;
    }
    const next =
      (token > 0 && interesting[token - 1] === 1) || (token + 1 < count && interesting[token + 1] === 1);
    const afterNumber = token > 0 && interesting[token - 1] === 1 && isNumberShape(shape[token - 1]!);
    const may = lineCase[token] === ALL_LOWER || afterNumber || !isPlainWord(tokens, token);
    if (interesting[token] === 1 || afterCue > 0 || ((next || passing) && may)) {
      active[token] = 1;
      any = true;
    }
    if (afterCue > 0) afterCue--;
    if ((flags[token]! & CUE) !== 0) afterCue = CUE_REACH;
    passing = interesting[token] === 1 || (active[token] === 1 && (flags[token]! & PARTICLE) !== 0);
  }
  for (let token = 1; token < count; token++) {
    if (active[token - 1] === 0 || !isMarkShape(shape[token]!)) continue;
    let next = token + 1;
    while (next < count && next < token + MAX_MARKS && isMarkShape(shape[next]!)) next++;
    if (next < count && active[next] === 1) active.fill(1, token, next);
  }
  return any;
}
