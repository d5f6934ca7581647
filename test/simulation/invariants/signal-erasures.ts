import { checkErasure, checkInclusion } from '#core/evidence/checkpoint/check-proof.ts';
import { proveInclusion } from '#services/api/evidence/proofs/proofs.ts';
import { newestSignals } from '../dependencies/newest-rows.ts';
import { erasedSalts, foldedErasures } from '../erased.ts';
import { NOTE_KEYS } from '../nodes/signing-key.ts';
import type { World } from '../world-of-run.ts';
import { closedCustomers, whoseLedgerWaits } from './confirmed.ts';

/** Number of signals per customer whose leaves are proved: proving all would cost more than it finds. */
const PROVED = 2;

/**
 * Signals covered by an ERASURE are blank in the tables, and no others; their salts are nowhere in the state. Each
 * erasure confirmed to a client is in the ledger, a receipt never arrives before the erasure is over, and the leaf of
 * an erased signal can be proved.
 */
export async function signalErasureFaults(world: World): Promise<string[]> {
  const closed = await closedCustomers(world);
  const waits = whoseLedgerWaits(world);
  const faults: string[] = answerFaults(world, (customerId) => closed.has(customerId) || waits(customerId));
  for (const { customerId } of world.promised.customers) {
    if (closed.has(customerId) || waits(customerId)) continue;
    faults.push(...rowFaults(world, customerId), ...stateFaults(world, customerId));
    faults.push(...(await proofFaults(world, customerId)));
  }
  return faults;
}

function answerFaults({ promised, store, restoredAt }: World, isExcused: (id: string) => boolean): string[] {
  return promised.signalErasures.flatMap(({ customerId, signalId, atMs, deleted, receipt, isThere }) => {
    const faults: string[] = [];
    if (deleted && isThere) faults.push(`the erasure of ${signalId} was said to be over, and it was there`);
    if (receipt !== null) {
      try {
        checkErasure(receipt, signalId, NOTE_KEYS);
      } catch (error) {
        faults.push(`the receipt of ${signalId}: ${(error as Error).message}`);
      }
    }
    // A decided but unfolded erasure may be lost with an older state.
    const isLost = !deleted && restoredAt !== null && atMs <= restoredAt;
    const entries = foldedErasures(store, customerId).filter(({ id }) => id === `signal:${signalId}`);
    if (entries.length !== 1 && !isLost && !isExcused(customerId))
      faults.push(`the erasure of ${signalId} was confirmed and has ${entries.length} entries`);
    return faults;
  });
}

function rowFaults({ store }: World, customerId: string): string[] {
  const erasures = foldedErasures(store, customerId);
  const named = (scope: string): Set<number> =>
    new Set(erasures.filter((one) => one.scope === scope).flatMap(({ indexes }) => indexes));
  const [all, detail] = [named('ALL'), named('DETAIL')];
  const expected = (index: number): string => (all.has(index) ? 'ALL' : detail.has(index) ? 'DETAIL' : '');
  const faults = newestSignals(store, customerId)
    .filter(({ index, erased }) => erased !== expected(index))
    .map(
      ({ auditId, index, erased }) =>
        `signal ${auditId} is erased ${erased || 'not at all'}, and the ledger says ${expected(index) || 'not at all'}`,
    );
  const audits = store.final().audits.filter((row) => row.customerId === customerId && !row.erased);
  const listed = new Set(audits.map(({ auditId }) => auditId));
  const missing = [
    ...newestSignals(store, customerId)
      .filter(({ index }) => all.has(index))
      .map(({ auditId }) => auditId),
    ...erasures.filter(({ indexes }) => indexes.length === 0).map(({ id }) => id.replace('signal:', '')),
  ];
  return [
    ...faults,
    ...missing.filter((id) => listed.has(id)).map((id) => `audit ${id} is erased, and the list shows it`),
  ];
}

function stateFaults({ state, store }: World, customerId: string): string[] {
  const salts = erasedSalts(store, customerId);
  if (salts.size === 0) return [];
  const texts = state.texts().join('\n');
  return [...salts]
    .filter(([salt]) => texts.includes(salt))
    .map(([, auditId]) => `the state holds content of ${auditId}, which was erased`);
}

async function proofFaults({ supervisor, store }: World, customerId: string): Promise<string[]> {
  const api = supervisor.api();
  if (api === null) return [];
  const faults: string[] = [];
  const missing = newestSignals(store, customerId).filter(({ erased }) => erased === 'ALL');
  for (const { auditId } of missing.slice(0, PROVED)) {
    try {
      const proof = await proveInclusion(api, customerId, auditId);
      checkInclusion(proof, NOTE_KEYS);
      if (proof.coreSalt !== null) faults.push(`the proof of ${auditId} has the salt of erased content`);
    } catch (error) {
      faults.push(`the leaf of ${auditId}, which was erased: ${(error as Error).message}`);
    }
  }
  return faults;
}
