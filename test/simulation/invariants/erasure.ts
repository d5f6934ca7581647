import { CUSTOMERS } from '#platform/state/port.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { ERASED_RANK } from '#schemas/tables/audit-ranks.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import type { World } from '../world-of-run.ts';

/** Nothing readable is stored of a customer whose erasure is complete. */
export async function erasureFaults(world: World): Promise<string[]> {
  const { store, state, promised, restoredAt } = world;
  const faults: string[] = [];
  for (const { customerId } of promised.erasures) {
    const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
    const record = (await state.state.documents.get<CustomerRecord>(ref))?.value;
    // What an older state has lost is restored by the ledger and the operator; another invariant checks that.
    if (record?.active === true && restoredAt === null)
      faults.push(`customer ${customerId} was to be erased and is active`);
    if (record?.erasure?.status !== 'COMPLETED') continue;
    const isOwn = (row: { customerId: string }): boolean => row.customerId === customerId;
    const { signals, entries, audits } = finalRows(store);
    for (const row of signals.filter(isOwn))
      if (row.erased !== 'ALL') faults.push(`signal ${row.auditId} of an erased customer is readable`);
    for (const row of entries.filter(isOwn))
      if (row.kind !== 'ERASURE' && row.erased !== 'ALL')
        faults.push(`entry ${row.kind}:${row.id} of an erased customer is readable`);
    for (const row of audits.filter(isOwn))
      if (row.rank < ERASED_RANK && !wasLate(world, row.auditId, record.erasure.requestedAt))
        faults.push(`audit ${row.auditId} of an erased customer is readable`);
  }
  return faults;
}

/** A daily job of the sink removes rows of a request that was in progress for longer than this. */
const LATE_MS = 59_000;

/** Whether the log received the audit this late; undecidable after clock jumps. */
function wasLate({ log, faults }: World, auditId: string, requestedAt: string): boolean {
  if (faults.counts.has('clock jump')) return true;
  const records = log.all(TRIPLETS.name).filter(({ headers }) => headers.auditId === auditId);
  return records.some(({ timestamp }) => timestamp > Date.parse(requestedAt) + LATE_MS);
}

/** The chain invariant checks for differing rows. */
function finalRows(
  store: World['store'],
): Pick<ReturnType<World['store']['final']>, 'signals' | 'entries' | 'audits'> {
  try {
    return store.final();
  } catch {
    return { signals: [], entries: [], audits: [] };
  }
}
