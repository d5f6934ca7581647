import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import type { FoundPattern } from '../detect.ts';
import type { Finding } from '../finding.ts';
import { evidenceOf } from '../state/evidence.ts';
import { eraseFromFindings } from './kept.ts';

/** Index, id, time (Unix ms) and risk rank of a signal. */
type StoredMember = readonly [index: number, id: string, at: number, rank: number];

/** A pattern from a run, as plain data for JSON, so that erased signals can still be removed from it. */
export interface StoredPattern {
  /** Its signals are stored separately. */
  readonly finding: Omit<Finding, 'signalIds'>;
  readonly members: readonly StoredMember[];
  /** Its description before any signal was erased. */
  readonly description: string;
  /** Signals erased since then. */
  readonly erased: number;
}

export function storedPattern({ finding, members }: FoundPattern): StoredPattern {
  const { signalIds: _, ...rest } = finding;
  return {
    finding: rest,
    members: members.map(({ index, id, at, rank }) => [index, id, at, rank]),
    description: finding.description,
    erased: 0,
  };
}

export const findingOfStored = ({ finding, members }: StoredPattern): Finding => ({
  ...finding,
  signalIds: members.map(([, id]) => id),
});

/**
 * The pattern without erased signals, by the rules of the fold: below `minSignals` it becomes RETRACTED, its test
 * result is unchanged, and signals that it does not name are only a number. null: none of the named signals is erased.
 */
export function withoutErased(
  pattern: StoredPattern,
  isErased: (index: number) => boolean,
  minSignals: number,
): StoredPattern | null {
  const { finding, members, description, erased } = pattern;
  const kept = {
    finding: findingOfStored(pattern),
    evidence: evidenceOf(
      finding.count,
      members.map(([index, id, at, rank]) => ({ index, id, at, rank })),
      {
        firstAt: finding.firstSeen,
        lastAt: finding.lastSeen,
        rank: RISK_LEVELS.indexOf(finding.riskLevel),
      },
    ),
    description,
    erased,
    foundAt: 0,
  };
  const all = { open: new Map(), closed: new Map([['', kept]]) };
  const [changed] = eraseFromFindings(all, isErased, () => true, minSignals, finding.version);
  if (changed === undefined) return null;
  const stored = storedPattern({ finding: changed.finding, members: kept.evidence.members });
  return { ...stored, description, erased: kept.erased };
}
