import { findNames } from '#core/detect/find/names/find-names.ts';
import type { NamedSpan } from '#core/detect/find/names/guides/signs.ts';
import type { NameModel } from '#core/detect/find/names/model.ts';
import {
  addScores,
  compareSpans,
  fMeasure,
  type LabelledSpan,
  precisionOf,
  recallOf,
  type Score,
} from '../../samples/spans.ts';
import type { GroupedText } from './corpus.ts';

export const FOLDS = 5;

/** Assigns groups to folds, largest first, each to the fold with the fewest texts so far. */
export function foldsOf(texts: readonly GroupedText[]): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const { group } of texts) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const filled = new Array<number>(FOLDS).fill(0);
  const folds = new Map<number, number>();
  for (const [group, size] of [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    const fold = filled.indexOf(Math.min(...filled));
    folds.set(group, fold);
    filled[fold]! += size;
  }
  return folds;
}

export function spansFound(text: string, model: NameModel): readonly NamedSpan[] {
  const found: NamedSpan[] = [];
  findNames(text, 0, text.length, model, (span) => found.push(span));
  return found;
}

export const asLabelled = (
  spans: readonly NamedSpan[],
): readonly (LabelledSpan & Pick<NamedSpan, 'margin' | 'signs'>)[] =>
  spans.map(({ entity, start, end, margin, signs }) => ({
    type: entity,
    start,
    end,
    margin: Math.round(margin),
    signs,
  }));

export function expectedSpans({ spans }: GroupedText): readonly LabelledSpan[] {
  return spans.map(({ type, start, end }) => ({ type, start, end }));
}

export const scoreOf = (
  pairs: readonly (readonly [readonly LabelledSpan[], readonly LabelledSpan[]])[],
  type: string,
): Score => addScores(pairs.map(([expected, found]) => compareSpans(expected, found, type)));

const percent = (share: number): string => share.toFixed(4);

export const describeScore = (score: Score): string =>
  `F1 ${percent(fMeasure(score))} precision ${percent(precisionOf(score))} recall ${percent(recallOf(score))} (${score.hits} hits, ${score.missed} missed, ${score.wrong} wrong)`;
