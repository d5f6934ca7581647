import signWeights from '../models/names-signs.json' with { type: 'json' };
import { MEASURES, measuresOf, type NamedSpan } from './guides/signs.ts';
import { isNumberOfAPaper, isThing } from './things.ts';

const values = new Float64Array(MEASURES);
/** The weights are in thousandths. */
const PER_UNIT = 1_000;
/** What is more likely wrong by so much is not reported, not even as a hint. */
const MIN = 0.3;
/** Nothing that is told by words alone is certain. */
const MAX_CONFIDENCE = 0.99;

/** How likely a find is right, as finds in texts that were left out of training were. */
function shareOf(entity: 'PERSON' | 'ADDRESS', signs: number, margin: number): number {
  measuresOf(signs, margin, values);
  const sum = signWeights[entity].reduce((total, weight, at) => total + weight * values[at]!, 0);
  return Math.round(100 / (1 + Math.exp(-sum / PER_UNIT))) / 100;
}

/** Spans of more words than a name has, with a lower limit when none begins with a capital: unknown words. */
const [MAX_WORDS, MAX_SMALL_WORDS] = [6, 3];

function isTooLong(text: string, start: number, end: number): boolean {
  const span = text.slice(start, end);
  const words = span.split(/\s+/).length;
  return words > (/\p{Lu}/u.test(span) ? MAX_WORDS : MAX_SMALL_WORDS);
}

/** "The Princess [Royal] arrived": after an article and words with capitals, one more word is part of a title or a thing. */
const AFTER_ARTICLE = /(?:^|[^\p{L}])[Tt]he (?:\p{Lu}\p{L}{0,20} ){1,3}$/u;
const REACH_OF_ARTICLE = 72;
const SURE = 260;

const isRestOfTitle = (text: string, start: number, end: number): boolean =>
  !text.slice(start, end).includes(' ') &&
  AFTER_ARTICLE.test(text.slice(Math.max(0, start - REACH_OF_ARTICLE), start));

/** 0 when such a find is mostly wrong, and for what only looks like a name or an address. */
export function confidenceOf({ entity, start, end, margin, signs }: NamedSpan, text: string): number {
  const confidence = shareOf(entity, signs, margin);
  if (confidence < MIN) return 0;
  const onlyLooksSo =
    entity === 'PERSON'
      ? isTooLong(text, start, end) ||
        isThing(text, start, end) ||
        (margin < SURE && isRestOfTitle(text, start, end))
      : isNumberOfAPaper(text, start, end);
  return onlyLooksSo ? 0 : Math.min(confidence, MAX_CONFIDENCE);
}
