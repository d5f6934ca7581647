import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import { merge } from './merge.ts';

/** The detector name under which a judge's hits are reported. */
export const JUDGE = { name: 'judge', version: 1 } as const;

/** A judge is less certain than a detector that has verified a value. */
const MAX_JUDGED_CONFIDENCE = 0.9;

/** A judge's verdict that a custom rule or a code applies to a text. */
export interface JudgedHit {
  readonly source: TextSource;
  readonly code: ViolationCode;
  /** The rule's index in the sandbox's list; custom rules only. */
  readonly ruleIndex?: number;
  /** Clamped to the range from 0 to `MAX_JUDGED_CONFIDENCE`. */
  readonly confidence: number;
}

const clamp = (confidence: number): number =>
  Number.isNaN(confidence) ? 0 : Math.min(Math.max(confidence, 0), MAX_JUDGED_CONFIDENCE);

/** A match over the whole text. It has no entity, so nothing is redacted because of it. */
const matchOf = (hit: JudgedHit, text: string): Match => ({
  code: hit.code,
  entity: null,
  detector: JUDGE.name,
  version: JUDGE.version,
  source: hit.source,
  start: 0,
  end: text.length,
  confidence: clamp(hit.confidence),
  ...(hit.ruleIndex === undefined ? {} : { ruleIndex: hit.ruleIndex }),
});

/** One match per kind, with the kind's highest confidence. */
function distinct(matches: readonly Match[]): Match[] {
  const kinds = new Map<string, Match>();
  for (const match of matches) {
    const kind = `${match.code} ${match.ruleIndex ?? ''}`;
    const known = kinds.get(kind);
    if (known === undefined || known.confidence < match.confidence) kinds.set(kind, match);
  }
  return [...kinds.values()];
}

/**
 * Adds a judge's hits to the matches, in the order of `detect`. Existing matches never change. Hits on empty texts, or
 * on texts that are not in `texts`, are dropped.
 */
export function addJudged(
  texts: readonly SourceText[],
  matches: readonly Match[],
  hits: readonly JudgedHit[],
): readonly Match[] {
  if (hits.length === 0) return matches;
  const merged: Match[] = [];
  for (const { source, text } of texts) {
    const judged = text === '' ? [] : hits.filter((hit) => hit.source === source);
    const found = matches.filter((match) => match.source === source);
    merge([found, distinct(judged.map((hit) => matchOf(hit, text)))], merged);
  }
  return merged;
}
