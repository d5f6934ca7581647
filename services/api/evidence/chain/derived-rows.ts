import { setTimeout as pause } from 'node:timers/promises';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { derivedFaults, strayRows } from '#platform/warehouse/queries/evidence/derived.ts';
import { ledgerHead } from '#platform/warehouse/queries/ledger.ts';
import { foldedPosition } from '#records/retention/stored-erasures.ts';
import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { orNull } from './damaged-range.ts';
import type { PlannedPass } from './plan-passes.ts';

/** Entries compared by one statement. */
const SLICE_ENTRIES = 65_536;
/** Faults reported per slice. */
const FAULTS_OF_SLICE = 100;
/** Pauses before comparing again, ms. An erasure may be half folded; a real fault persists. */
const RECHECK_PAUSES_MS = [50, 150, 300, 500];
const REASON = 'DERIVED_CHANGED' as const;

/**
 * Faults in rows that are derived from these entries and served separately: the audit list, computed columns of a
 * signal, and the look-up of ids. A pass up to the last entry also finds rows that no entry explains.
 */
export async function changedDerived(
  warehouse: Warehouse,
  customerId: string,
  { from, to }: PlannedPass,
  gone: AbortSignal,
  pausesMs: readonly number[] = RECHECK_PAUSES_MS,
): Promise<ChainFault[]> {
  const head = await ledgerHead(warehouse, customerId);
  if (head === null) return [];
  const last = Math.min(to ?? head, head);
  const faults: ChainFault[] = [];
  for (let at = from; at <= last && faults.length < FAULTS_OF_SLICE && !gone.aborted; at += SLICE_ENTRIES) {
    const slice = { customerId, from: at, to: Math.min(last, at + SLICE_ENTRIES - 1) };
    faults.push(
      ...(await settled(warehouse, customerId, pausesMs, async (folded) => {
        const found = await derivedFaults(warehouse, { ...slice, folded }, FAULTS_OF_SLICE);
        return found.map(({ index, id }) => ({ index, id, reason: REASON }));
      })),
    );
  }
  if (to !== null || gone.aborted) return faults;
  const strays = settled(warehouse, customerId, pausesMs, async (folded) => {
    const { ids, audits, closings } = await strayRows(warehouse, { customerId, folded });
    return ids > 0 || audits > 0 || closings !== 0 ? [{ index: head + 1, id: null, reason: REASON }] : [];
  });
  // Stray rows are searched for in the whole ledger, so damage elsewhere is not a fault of this range.
  return [...faults, ...((await orNull(strays)) ?? [])];
}

/**
 * Same, without faults of entries that already have another fault: nothing can be compared with such an entry.
 * Unreadable rows are a fault of the whole range, unless some of the known faults are unreadable rows too.
 */
export async function otherDerivedFaults(
  warehouse: Warehouse,
  customerId: string,
  { from, to }: PlannedPass,
  known: readonly ChainFault[],
  gone: AbortSignal,
): Promise<ChainFault[]> {
  const faults = await orNull(changedDerived(warehouse, customerId, { from, to }, gone));
  const faulty = new Set(known.map(({ index }) => index));
  if (faults !== null) return faults.filter(({ index }) => !faulty.has(index));
  if (known.some(({ reason }) => reason === 'DAMAGED')) return [];
  const toIndex = to ?? (await orNull(ledgerHead(warehouse, customerId))) ?? from;
  return [{ index: from, toIndex: Math.max(from, toIndex), id: null, reason: 'DAMAGED' }];
}

type Folded = NonNullable<Awaited<ReturnType<typeof foldedPosition>>>;

/** Faults that persist over several reads. */
async function settled(
  warehouse: Warehouse,
  customerId: string,
  pausesMs: readonly number[],
  compare: (folded: Folded) => Promise<ChainFault[]>,
): Promise<ChainFault[]> {
  const check = async (): Promise<ChainFault[]> => {
    const folded = await foldedPosition(warehouse, customerId);
    return folded === null ? [] : compare(folded);
  };
  let faults = await check();
  for (const waitMs of pausesMs) {
    if (faults.length === 0) break;
    await pause(waitMs);
    faults = await check();
  }
  return faults;
}
