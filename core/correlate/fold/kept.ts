import type { FindingStatus } from '#schemas/vocabulary.ts';
import { type Finding, type FindingContext, type FindingWindow, findingOf, seenOf } from '../finding.ts';
import type { Verdict } from '../patterns/verdict.ts';
import { copyOf, type Evidence, removeMembers } from '../state/evidence.ts';
import { MAX_KEPT_FINDINGS } from '../state/rules.ts';

/** A finding with its signals, so that erased signals can be removed. */
export interface Kept {
  finding: Finding;
  evidence: Evidence;
  /** Its description before any signal was erased. */
  description: string;
  /** Signals erased since then. */
  erased: number;
  /** When it was first reported, by the time at which signals were accepted; Unix ms. */
  readonly foundAt: number;
}

/** The entry that changes findings: its index, and the watermark there (Unix ms). */
export interface Change {
  readonly version: number;
  readonly at: number;
}

/** Findings of open and of closed windows, by type, key and window, in order of insertion. */
export interface KeptFindings {
  readonly open: Map<string, Kept>;
  readonly closed: Map<string, Kept>;
}

export const noFindings = (): KeptFindings => ({ open: new Map(), closed: new Map() });

const indexOf = (type: string, key: string, { start, lengthMs }: FindingWindow): string =>
  `${type} ${start} ${lengthMs} ${key}`;

/** Records a verdict at a time (Unix ms). Returns the current finding. */
export function noteVerdict(
  context: FindingContext,
  { open }: KeptFindings,
  verdict: Verdict,
  window: FindingWindow,
  { version, at }: Change,
): Kept {
  const { description } = verdict;
  const index = indexOf(verdict.type, verdict.key, window);
  const kept: Kept = {
    finding: findingOf(context, verdict, window, 'OPEN', version),
    evidence: copyOf(verdict.evidence),
    description,
    erased: 0,
    foundAt: open.get(index)?.foundAt ?? at,
  };
  open.set(index, kept);
  return kept;
}

/**
 * Closes the findings of a window: those that the last verdicts confirm become CLOSED; others already reported become
 * RETRACTED. The oldest closed ones are dropped, after which erasures no longer change them here.
 */
export function closeFindings(
  context: FindingContext,
  findings: KeptFindings,
  verdicts: readonly Verdict[],
  window: FindingWindow,
  change: Change,
): Kept[] {
  const changed: Kept[] = [];
  const { open, closed } = findings;
  for (const verdict of verdicts) {
    const kept = noteVerdict(context, findings, verdict, window, change);
    const index = indexOf(verdict.type, verdict.key, window);
    open.delete(index);
    kept.finding = { ...kept.finding, status: 'CLOSED' };
    closed.set(index, kept);
    changed.push(kept);
  }
  for (const [index, kept] of open) {
    const { finding } = kept;
    if (finding.windowStart !== window.start || finding.windowMs !== window.lengthMs) continue;
    open.delete(index);
    if (finding.status !== 'OPEN') continue;
    kept.finding = { ...finding, status: 'RETRACTED', version: change.version };
    changed.push(kept);
  }
  for (const index of closed.keys()) {
    if (closed.size <= MAX_KEPT_FINDINGS) break;
    closed.delete(index);
  }
  return changed;
}

/**
 * Removes erased signals from all findings. Below `minSignals` a finding becomes RETRACTED; its test result is
 * unchanged.
 */
export function eraseFromFindings(
  { open, closed }: KeptFindings,
  isErased: (index: number) => boolean,
  concerns: (finding: Finding) => boolean,
  minSignals: number,
  version: number,
): Kept[] {
  const changed: Kept[] = [];
  for (const findings of [open, closed]) {
    for (const [index, kept] of findings) {
      if (!concerns(kept.finding)) continue;
      const gone = removeMembers(kept.evidence, isErased).length;
      if (gone === 0) continue;
      kept.erased += gone;
      const status: FindingStatus = kept.evidence.count < minSignals ? 'RETRACTED' : kept.finding.status;
      const description = `${kept.description} ${kept.erased} of them ${kept.erased === 1 ? 'was' : 'were'} erased since.`;
      kept.finding = { ...kept.finding, ...seenOf(kept.evidence), status, version, description };
      changed.push(kept);
      if (status === 'RETRACTED' && findings === closed) closed.delete(index);
    }
  }
  return changed;
}
