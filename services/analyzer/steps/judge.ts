import type { StoredRecord } from '#platform/event-log/port.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { Ask, Judged } from '../judge/judging.ts';
import type { Audit, AuditBatch } from './audits.ts';
import type { Found } from './detect.ts';

export interface Noted extends Found {
  /** Additional notes for the reasoning; absent without a judge. */
  readonly notes?: readonly string[];
}

/** How one batch asks the optional judge. */
export interface Asking {
  readonly ask: Ask;
  readonly concurrency: number;
  /**
   * Batches are retried while the judge is down: judged audits are not asked, and paid for, again. Forgotten together
   * with the record.
   */
  readonly judged: WeakMap<StoredRecord, Judged>;
}

/**
 * Asks the judge about several audits concurrently, because its answers take seconds. Without a judge there are no
 * notes.
 */
export async function judgeAudits(
  batch: AuditBatch,
  found: readonly Audit<Found>[],
  judge: Asking | null,
  yieldTurn: YieldTurn,
): Promise<readonly Audit<Noted>[]> {
  if (judge === null) return found;
  const { ask, concurrency, judged } = judge;
  return batch.each({ part: 'detect', concurrency }, found, async ({ record, known }) => {
    const { texts, matches, sandbox } = known;
    const answer = judged.get(record) ?? (await ask(record, { texts, matches, sandbox }, yieldTurn));
    judged.set(record, answer);
    return { ...known, matches: answer.matches, notes: answer.notes };
  });
}
