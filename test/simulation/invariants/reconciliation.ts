import { LEDGER } from '#schemas/topics.ts';
import { stoppedRightly } from '../stopped-rightly.ts';
import type { World } from '../world-of-run.ts';

/** The count of admitted audits never exceeds what the list received: a surplus would look like a lost audit. */
export async function reconciliationFaults(world: World): Promise<string[]> {
  const { promised, state, store, blocked } = world;
  // Platform signals reach the list only through the ledger, ingested audits through any topic.
  if (blocked.size > 0 || [...stoppedRightly(world)].some((name) => name.startsWith(LEDGER.name))) return [];
  const accepted = new Map<string, Set<string>>();
  for (const { customerId, auditId } of store.rows.audits) {
    const audits = accepted.get(customerId) ?? new Set();
    accepted.set(customerId, audits.add(auditId));
  }
  const faults: string[] = [];
  for (const { customerId } of promised.customers) {
    const admitted = (await state.state.admission.admittedCount(customerId))?.total ?? 0;
    const listed = accepted.get(customerId)?.size ?? 0;
    if (admitted > listed)
      faults.push(`${admitted} audits of ${customerId} were admitted, ${listed} accepted`);
  }
  return faults;
}
