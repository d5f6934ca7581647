import signWeights from '../models/names-signs.json' with { type: 'json' };
import { MEASURE_COUNT, measuresOf, type NamedSpan } from './guides/signs.ts';
import { isDocumentNumber, isThing } from './things.ts';

const values = new Float64Array(MEASURE_COUNT);
/** The weights are stored in thousandths. */
const PER_UNIT = 1_000;
/** Matches below this confidence are not reported, not even as hints. */
const MIN = 0.3;
/** A match that is known only by words is never certain. */
const MAX_CONFIDENCE = 0.99;

/** The probability that a match is right, calibrated on texts held out from training. */
function shareOf(entity: 'PERSON' | 'ADDRESS', signs: number, margin: number): number {
  measuresOf(signs, margin, values);
  const sum = signWeights[entity].reduce((total, weight, at) => total + weight * values[at]!, 0);
  return Math.round(100 / (1 + Math.exp(-sum / PER_UNIT))) / 100;
}

/** Longer spans are not names. The limit is lower if no word is capitalised, because those are unknown words. */
const [MAX_WORDS, MAX_SMALL_WORDS] = [6, 3];

function isTooLong(text: string, start: number, end: number): boolean {
  const span = text.slice(start, end);
  const words = span.split(/\s+/).length;
  return words > (/\p{Lu}/u.test(span) ? MAX_WORDS : MAX_SMALL_WORDS);
}

/**
 * "The Princess [Royal] arrived": after an article and capitalised words, one more word is part of a title or thing.
 */
const AFTER_ARTICLE = /(?:^|[^\p{L}])[Tt]he (?:\p{Lu}\p{L}{0,20} ){1,3}$/u;
const REACH_OF_ARTICLE = 72;
const SURE = 260;

const isRestOfTitle = (text: string, start: number, end: number): boolean =>
  !text.slice(start, end).includes(' ') &&
  AFTER_ARTICLE.test(text.slice(Math.max(0, start - REACH_OF_ARTICLE), start));

/** The confidence of a match; 0 if it is too low, or if the span only looks like a name or an address. */
export function confidenceOf({ entity, start, end, margin, signs }: NamedSpan, text: string): number {
  const confidence = shareOf(entity, signs, margin);
  if (confidence < MIN) return 0;
  const isLookalike =
    entity === 'PERSON'
      ? isTooLong(text, start, end) ||
        isThing(text, start, end) ||
        (margin < SURE && isRestOfTitle(text, start, end))
      : isDocumentNumber(text, start, end);
  return isLookalike ? 0 : Math.min(confidence, MAX_CONFIDENCE);
}
