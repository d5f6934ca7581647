import {
  LENGTH_CLASSES,
  type Limits,
  lengthClassOf,
  type Subject,
} from '#core/detect/find/text-model/text-model.ts';
import type { CorpusText } from './corpus.ts';
import { bestWindow, type LogisticWeights } from './logistic.ts';

interface Shares {
  readonly hint: number;
  readonly find: number;
}

/** Maximum share of ordinary texts in a length class that may be hints or findings. */
const ORDINARY: Partial<Record<Subject, Shares>> = {
  INJECTION: { hint: 0.02, find: 0.007 },
  DANGEROUS: { hint: 0.01, find: 0.005 },
  HATE: { hint: 0.01, find: 0.003 },
};
/**
 * Texts written with the words of harmful ones may have higher shares, depending on the subject. The stricter of both
 * limits applies.
 */
const LOOKALIKE: Partial<Record<Subject, Shares & { readonly family: string }>> = {
  INJECTION: { family: 'written/injection-harmless', hint: 0.035, find: 0.025 },
  DANGEROUS: { family: 'written/dangerous-safe', hint: 0.1, find: 0.05 },
  HATE: { family: 'written/hate-contrast', hint: 0.08, find: 0.03 },
};
/** With fewer texts of a kind in a class, a share is meaningless. */
const FEWEST = 100;

/** The score that this share of the scores reaches. */
function scoreAt(scores: readonly number[], share: number): number {
  const sorted = scores.toSorted((a, b) => b - a);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

/** A whole source is in one half. Texts without a source alternate in pairs, because made-up texts of both kinds do. */
function halfOf({ source }: CorpusText, index: number): number {
  if (source === undefined) return (index >> 1) % 2;
  let sum = 0;
  for (let at = 0; at < source.length; at++) sum = (sum * 31 + source.charCodeAt(at)) % 9_973;
  return sum % 2;
}

interface Scores {
  readonly ordinary: number[];
  readonly lookalike: number[];
}

/** Excludes texts about attacks, which are frequent in the corpus and rare in traffic, and texts composed of others. */
const isOrdinary = ({ family }: CorpusText): boolean =>
  /^(?:benign|ordinary)\//.test(family) && !/\/(?:long|injection\/negatives-security)$/.test(family);

/**
 * Scores of harmless texts from models that did not see them: each half is scored by the model trained on the other.
 */
function heldOutScores(
  texts: readonly CorpusText[],
  subject: Subject,
  trainOn: (texts: readonly CorpusText[], subject: Subject) => LogisticWeights,
): Scores[] {
  const scores: Scores[] = Array.from({ length: LENGTH_CLASSES.length + 1 }, () => ({
    ordinary: [],
    lookalike: [],
  }));
  for (const half of [0, 1]) {
    const weights = trainOn(
      texts.filter((text, index) => halfOf(text, index) !== half),
      subject,
    );
    texts.forEach((text, index) => {
      if (halfOf(text, index) !== half || text.labels[subject] === true) return;
      const isLookalike = text.family === LOOKALIKE[subject]?.family;
      if (!isLookalike && !isOrdinary(text)) return;
      const score = bestWindow(text.features, weights)?.score ?? Number.NEGATIVE_INFINITY;
      scores[lengthClassOf(text.features.count)]![isLookalike ? 'lookalike' : 'ordinary'].push(score);
    });
  }
  return scores;
}

/** A subject's limits by length class; none for a subject that only distinguishes attacks. */
export function limitsOf(
  texts: readonly CorpusText[],
  subject: Subject,
  trainOn: (texts: readonly CorpusText[], subject: Subject) => LogisticWeights,
): Limits[] {
  const [shares, alike] = [ORDINARY[subject], LOOKALIKE[subject]];
  if (shares === undefined || alike === undefined) return [];
  const limits: Limits[] = [];
  for (const { ordinary, lookalike } of heldOutScores(texts, subject, trainOn)) {
    const from = (level: keyof Shares): number =>
      Math.max(
        scoreAt(ordinary, shares[level]),
        lookalike.length < FEWEST ? Number.NEGATIVE_INFINITY : scoreAt(lookalike, alike[level]),
      );
    // A longer text has more windows, so its limits are never lower.
    const shorter = limits.at(-1);
    limits.push({
      hintFrom: Math.max(from('hint'), shorter?.hintFrom ?? Number.NEGATIVE_INFINITY),
      findFrom: Math.max(from('find'), shorter?.findFrom ?? Number.NEGATIVE_INFINITY),
    });
  }
  return limits;
}
