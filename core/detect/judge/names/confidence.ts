import type { NamedSpan } from './find-names.ts';
import { isNumberOfAPaper, isThing } from './things.ts';

/** Margin from which a finding has this confidence. */
type Steps = readonly (readonly [margin: number, confidence: number])[];

/** Approximate precision of findings with such margins in held-out wordings (`tuning/training/names`). */
const STEPS: Readonly<Record<'PERSON' | 'ADDRESS', Steps>> = {
  PERSON: [
    [-100, 0.4],
    [30, 0.65],
    [120, 0.8],
    [260, 0.9],
    [400, 0.97],
  ],
  ADDRESS: [
    [-100, 0.7],
    [60, 0.9],
    [200, 0.97],
  ],
};

/** Spans of more words than a name has, with a lower limit when none begins with a capital: unknown words. */
const [MOST_WORDS, MOST_SMALL_WORDS] = [6, 3];

function isTooLong(text: string, start: number, end: number): boolean {
  const span = text.slice(start, end);
  const words = span.split(/\s+/).length;
  return words > (/\p{Lu}/u.test(span) ? MOST_WORDS : MOST_SMALL_WORDS);
}

/** "The Princess [Royal] arrived": after an article and words with capitals, one more word is part of a title or a thing. */
const AFTER_ARTICLE = /(?:^|[^\p{L}])[Tt]he (?:\p{Lu}\p{L}{0,20} ){1,3}$/u;
const REACH_OF_ARTICLE = 72;
const SURE = 260;

const isRestOfTitle = (text: string, start: number, end: number): boolean =>
  !text.slice(start, end).includes(' ') &&
  AFTER_ARTICLE.test(text.slice(Math.max(0, start - REACH_OF_ARTICLE), start));

/** 0 when a finding of this margin is hardly ever right, and for what only looks like a name or an address. */
export function confidenceOf({ entity, start, end, margin }: NamedSpan, text: string): number {
  let confidence = 0;
  for (const [least, share] of STEPS[entity]) if (margin >= least) confidence = share;
  if (confidence === 0) return 0;
  const onlyLooksSo =
    entity === 'PERSON'
      ? isTooLong(text, start, end) ||
        isThing(text, start, end) ||
        (margin < SURE && isRestOfTitle(text, start, end))
      : isNumberOfAPaper(text, start, end);
  return onlyLooksSo ? 0 : confidence;
}
