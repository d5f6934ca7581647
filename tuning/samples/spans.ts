/** A labelled span of a text, in UTF-16 code units, end exclusive. */
export interface LabelledSpan {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface Score {
  readonly hits: number;
  readonly missed: number;
  readonly wrong: number;
}

const NONE: Score = { hits: 0, missed: 0, wrong: 0 };

/** The intersection of two spans as a share of their union, in characters. */
export function overlapOf(a: LabelledSpan, b: LabelledSpan): number {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  const either = Math.max(a.end, b.end) - Math.min(a.start, b.start);
  return common / either;
}

/** Minimum overlap of a match with a label of the same type to count. */
const ENOUGH = 0.5;

/** Compares the matches in one text with its labels, for one type. Each label is matched once. */
export function compareSpans(
  expected: readonly LabelledSpan[],
  found: readonly LabelledSpan[],
  type: string,
): Score {
  const open = expected.filter((span) => span.type === type);
  const finds = found.filter((span) => span.type === type);
  let hits = 0;
  for (const find of finds) {
    const at = open.findIndex((span) => overlapOf(span, find) >= ENOUGH);
    if (at === -1) continue;
    open.splice(at, 1);
    hits++;
  }
  return { hits, missed: open.length, wrong: finds.length - hits };
}

export const addScores = (scores: readonly Score[]): Score =>
  scores.reduce(
    (sum, { hits, missed, wrong }) => ({
      hits: sum.hits + hits,
      missed: sum.missed + missed,
      wrong: sum.wrong + wrong,
    }),
    NONE,
  );

export const precisionOf = ({ hits, wrong }: Score): number =>
  hits + wrong === 0 ? 1 : hits / (hits + wrong);
export const recallOf = ({ hits, missed }: Score): number =>
  hits + missed === 0 ? 1 : hits / (hits + missed);

/**
 * F-measure; `beta` 2 weighs recall four times as much as precision. 1 if there was nothing to find and nothing was
 * found.
 */
export function fMeasure(score: Score, beta = 1): number {
  const { hits, missed, wrong } = score;
  const weight = beta * beta;
  const all = (1 + weight) * hits + weight * missed + wrong;
  return all === 0 ? 1 : ((1 + weight) * hits) / all;
}
