import { isAsciiAlphanumeric } from '../../read/characters.ts';
import type { Shape } from './shape.ts';
import { firstShape, isCount, OTHER_LABELS, type Valued } from './walk.ts';

const BACK = 88;

/** "533401234 is her passport number", "533401234, my old passport", "is 533401234 a valid passport number?" */
const LINK =
  /^(?:,? (?:is|was|being|as|under|in|really) (?:(?:my|his|her|their|our|your|the|a|an) )?(?:(?!not )[\p{L}'’]{2,14} ){0,2}|,? (?:my|his|her|their|our|your|the|a) (?:[\p{L}'’]{2,14} )?| an? (?:valid|real|correct|current|genuine|known|fake|proper|working) (?:[\p{L}.'’]{2,14} ){0,2})$/u;
/** "533401234 (US passport)" */
const IN_BRACKETS = /^ ?\((?:[\p{L}.]{2,12} ){0,2}$/u;
/** A few words of the same sentence: weak evidence, but enough if the value has a known format. */
const WORDS = /^(?:,? [\p{L}'’()-]{1,14}){1,7},? ["'(]?$/u;
const LOOSE = 0.55;

/** Words before a value that make it something else: "order no. 533401234". */
function isOfSomethingElse(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 24), at).toLowerCase();
  return (before.match(/[\p{L}]+/gu) ?? []).slice(-2).some((word) => OTHER_LABELS.has(word));
}

function linkWeight(between: string, closed: boolean, loose: boolean): number {
  if (LINK.test(between) || (closed && IN_BRACKETS.test(between))) return 1;
  if (!loose || !WORDS.test(between)) return 0;
  const words = between.toLowerCase().match(/[\p{L}]+/gu) ?? [];
  return words.some((word) => OTHER_LABELS.has(word) || word === 'not') ? 0 : LOOSE;
}

interface BeforeLimits {
  /** Whether a few arbitrary words may separate the two. */
  readonly loose: boolean;
  /** End of the previous label; the search for the value does not go further back. */
  readonly from: number;
}

/** The value that precedes its label. `end`: the end of the label and its tail. */
export function valueBefore(
  text: string,
  start: number,
  end: number,
  shapes: readonly Shape[],
  { loose, from }: BeforeLimits,
): Valued | null {
  const base = Math.max(from, start - BACK);
  const line = base + text.slice(base, start).lastIndexOf('\n') + 1;
  const closed = text[end] === ')';
  for (let at = line; at < start; at++) {
    const unit = text.charCodeAt(at);
    if (!isAsciiAlphanumeric(unit) || /[\w.:/#$€£-]/.test(text[at - 1] ?? ' ')) continue;
    const match = firstShape(shapes, text, at);
    if (match === null || match.end >= start || isCount(text, at, match.end)) continue;
    const weight = linkWeight(text.slice(match.end, start), closed, loose);
    if (weight > 0 && !isOfSomethingElse(text, at)) {
      return { start: at, end: match.end, confidence: Math.min(match.confidence, weight) };
    }
  }
  return null;
}
