import type { FindingStatus } from '#schemas/vocabulary.ts';
import { copyOf, type Evidence, removeMembers } from '../evidence.ts';
import { type Finding, type FindingContext, type FindingWindow, findingOf, seenOf } from '../finding.ts';
import type { Verdict } from '../patterns/verdict.ts';
import { MAX_KEPT_FINDINGS } from '../rules.ts';

/** A finding with its signals, so that erased ones can leave it. */
export interface Kept {
  finding: Finding;
  evidence: Evidence;
  /** Its sentence before any signal was erased. */
  description: string;
  /** Signals that were erased since that sentence. */
  erased: number;
}

/** Findings of open windows and of closed ones, by type, key and window, in the order in which they came. */
export interface KeptFindings {
  readonly open: Map<string, Kept>;
  readonly closed: Map<string, Kept>;
}

export const noFindings = (): KeptFindings => ({ open: new Map(), closed: new Map() });

const placeOf = (type: string, key: string, { start, lengthMs }: FindingWindow): string =>
  `${type} ${start} ${lengthMs} ${key}`;

/** Writes down what a look found. Returns the finding as it is now. */
export function noteVerdict(
  context: FindingContext,
  { open }: KeptFindings,
  verdict: Verdict,
  window: FindingWindow,
  version: number,
): Finding {
  const finding = findingOf(context, verdict, window, 'OPEN', version);
  const { description } = verdict;
  open.set(placeOf(verdict.type, verdict.key, window), {
    finding,
    evidence: copyOf(verdict.evidence),
    description,
    erased: 0,
  });
  return finding;
}

/**
 * Closes the findings of a window: those that the last look found are CLOSED, others that had been told are RETRACTED.
 * The oldest closed ones are forgotten: erased signals do not leave them any more here.
 */
export function closeFindings(
  context: FindingContext,
  findings: KeptFindings,
  verdicts: readonly Verdict[],
  window: FindingWindow,
  version: number,
): Finding[] {
  const changed: Finding[] = [];
  const { open, closed } = findings;
  for (const verdict of verdicts) {
    noteVerdict(context, findings, verdict, window, version);
    const place = placeOf(verdict.type, verdict.key, window);
    const kept = open.get(place)!;
    open.delete(place);
    kept.finding = { ...kept.finding, status: 'CLOSED' };
    closed.set(place, kept);
    changed.push(kept.finding);
  }
  for (const [place, { finding }] of open) {
    if (finding.windowStart !== window.start || finding.windowMs !== window.lengthMs) continue;
    open.delete(place);
    if (finding.status === 'OPEN') changed.push({ ...finding, status: 'RETRACTED', version });
  }
  for (const place of closed.keys()) {
    if (closed.size <= MAX_KEPT_FINDINGS) break;
    closed.delete(place);
  }
  return changed;
}

/** Takes erased signals out of all findings. Below `minSignals` a finding is RETRACTED; its test stays as it was. */
export function eraseFromFindings(
  { open, closed }: KeptFindings,
  isErased: (index: number) => boolean,
  concerns: (finding: Finding) => boolean,
  minSignals: number,
  version: number,
): Finding[] {
  const changed: Finding[] = [];
  for (const findings of [open, closed]) {
    for (const [place, kept] of findings) {
      if (!concerns(kept.finding)) continue;
      const gone = removeMembers(kept.evidence, isErased).length;
      if (gone === 0) continue;
      kept.erased += gone;
      const status: FindingStatus = kept.evidence.count < minSignals ? 'RETRACTED' : kept.finding.status;
      const description = `${kept.description} ${kept.erased} of them ${kept.erased === 1 ? 'was' : 'were'} erased since.`;
      kept.finding = { ...kept.finding, ...seenOf(kept.evidence), status, version, description };
      changed.push(kept.finding);
      if (status === 'RETRACTED' && findings === closed) closed.delete(place);
    }
  }
  return changed;
}
