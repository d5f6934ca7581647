import { groupBy } from '#schemas/group-by.ts';
import { COMPLETED_RANK } from '#schemas/tables/audit-ranks.ts';
import type { AuditRow } from '#schemas/tables/tables.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { ANALYZER_TOPICS } from '#services/analyzer/run-analyzer.ts';
import { BROKEN_MODEL } from '../clients.ts';
import { stoppedRightly } from '../stopped-rightly.ts';
import type { World } from '../world-of-run.ts';

/** Failures that are not the pipeline's fault: injected, or caused by a deliberately destroyed key. */
const isExpected = ({ failureCode, model, erased }: AuditRow): boolean =>
  failureCode === 'KEY_DESTROYED' ||
  failureCode === 'CRASHED' ||
  // The model of an erased audit is no longer known.
  (failureCode === 'ANALYSIS_FAILED' && (model === BROKEN_MODEL || erased));

/**
 * Every accepted audit is either a stored signal or a dead letter; the audit list and the ledger agree; an outage never
 * causes a dead letter.
 */
export function finalStateFaults(world: World): string[] {
  const { store, log, promised, blocked, restoredAt } = world;
  const faults: string[] = [];
  const audits = groupBy(finalAudits(store), ({ auditId }) => auditId);
  const signals = new Map<string, string>();
  for (const { kind, id, customerId } of store.rows.ledger)
    if (kind === 'SIGNAL') signals.set(id, customerId);
  const stopped = stoppedRightly(world);
  const waits = (auditId: string, customerId: string): boolean =>
    isBlocked(log, blocked, customerId) ||
    stopped.has(`${LEDGER.name}/${log.partitionOf(LEDGER.name, customerId)}`) ||
    // An audit has the same partition in each of its topics.
    ANALYZER_TOPICS.some((topic) => stopped.has(`${topic}/${log.partitionOf(topic, auditId)}`));

  const accepted = new Set(promised.audits.map(({ auditId }) => auditId));
  const received = log.all(TRIPLETS.name).map(({ headers }) => ({
    auditId: headers.auditId as string,
    customerId: headers.customerId as string,
  }));
  for (const { auditId, customerId } of [...promised.audits, ...received]) {
    const what = `${accepted.has(auditId) ? 'accepted' : 'appended'} audit ${auditId}`;
    const rows = audits.get(auditId) ?? [];
    if (rows.length > 1) faults.push(`${what} is in the list ${rows.length} times`);
    const [row] = rows;
    if (row === undefined) {
      faults.push(`${what} is not in the audit list`);
      continue;
    }
    if (row.customerId !== customerId) faults.push(`${what} is listed under another customer`);
    const isFinal = row.status === 'COMPLETED' || row.status === 'FAILED';
    if (!isFinal && !waits(auditId, customerId)) faults.push(`${what} is ${row.status} for ever`);
  }
  for (const row of [...audits.values()].flat()) {
    const isStored = signals.has(row.auditId);
    if (row.rank >= COMPLETED_RANK && row.status === 'COMPLETED' && !isStored)
      faults.push(`audit ${row.auditId} is COMPLETED and has no entry in the ledger`);
    if (row.rank < COMPLETED_RANK && isStored && !waits(row.auditId, row.customerId))
      faults.push(`audit ${row.auditId} is ${row.status} and has an entry in the ledger`);
    if (row.status === 'FAILED' && restoredAt === null && !isExpected(row))
      faults.push(`audit ${row.auditId} failed with ${row.failureCode}`);
  }
  for (const [auditId, customerId] of signals) {
    // A flush interrupted between the ledger and the list is repeated, unless its partition has stopped since.
    if (!audits.has(auditId) && !waits(auditId, customerId))
      faults.push(`signal ${auditId} of ${customerId} is not in the audit list`);
  }
  return [...new Set(faults)];
}

/** The chain invariant checks for differing rows. */
function finalAudits(store: World['store']): readonly AuditRow[] {
  try {
    return store.final().audits;
  } catch {
    return [];
  }
}

export function isBlocked(log: World['log'], blocked: World['blocked'], customerId: string): boolean {
  return blocked.size > 0 && blocked.has(log.partitionOf(LEDGER.name, customerId));
}
