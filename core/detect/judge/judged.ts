import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';
import type { SourceText, TextSource } from '../read/texts.ts';
import { merge } from './merge.ts';

/** The detector name under which a judge's findings are reported. */
export const JUDGE = { name: 'judge', version: 1 } as const;

/** A judge is never as certain as a detector that has checked a value. */
const MAX_JUDGED_CONFIDENCE = 0.9;

/** A judge's statement about a text: that a custom rule, or a code, applies to it. */
export interface JudgedHit {
  readonly source: TextSource;
  readonly code: ViolationCode;
  /** Custom rules only: the rule's index in the sandbox's list. */
  readonly ruleIndex?: number;
  /** Clamped to the range from 0 to `MAX_JUDGED_CONFIDENCE`. */
  readonly confidence: number;
}

const clamp = (confidence: number): number =>
  Number.isNaN(confidence) ? 0 : Math.min(Math.max(confidence, 0), MAX_JUDGED_CONFIDENCE);

/** One finding on a whole text. It names no value: nothing of the text is redacted because of it. */
const findingOf = (hit: JudgedHit, text: string): Match => ({
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

/** Each kind of hit once, with its highest confidence. */
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
 * The findings with a judge's hits added, in the order of `detect`. Existing findings stay as they are: a judge
 * can only add. Hits on texts that are not among `texts`, or are empty, are left out.
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
    merge([found, distinct(judged.map((hit) => findingOf(hit, text)))], merged);
  }
  return merged;
}
