import type { SignalRow } from '#schemas/tables/tables.ts';
import type { World } from '../world-of-run.ts';
import { erasedCustomers, whoseLedgerWaits } from './confirmed.ts';

/**
 * When an older state was restored, the claim of an audit id whose entry is in the log may be missing: a repeat without
 * a time of its own is then answered with the time of the repeat, and the signal of the first attempt stays. That time
 * may be the later one: the two attempts may have met processes whose clocks differ. What was confirmed before the
 * state was restored had its claim, and is stored as it was told.
 */
const mayDiffer = ({ restoredAt }: World, atMs: number): boolean => restoredAt !== null && atMs > restoredAt;

/** Every confirmed platform signal is stored, once, and as confirmed. */
export async function internalSignalFaults(world: World): Promise<string[]> {
  const { promised, store } = world;
  const erased = await erasedCustomers(world);
  const waits = whoseLedgerWaits(world);
  const stored = new Map<string, SignalRow>();
  for (const row of store.rows.signals) {
    const name = `${row.customerId} ${row.auditId}`;
    if (row.revision === 0) stored.set(name, row);
  }
  const faults: string[] = [];
  for (const { customerId, core, atMs } of promised.signals) {
    if (erased.has(customerId) || waits(customerId)) continue;
    const row = stored.get(`${customerId} ${core.auditId}`);
    if (row === undefined) faults.push(`signal ${core.auditId} was confirmed and is not stored`);
    else if (row.sandboxId !== core.sandboxId)
      faults.push(`signal ${core.auditId} was confirmed of another sandbox than it is stored of`);
    else if (row.createdAt !== core.createdAt && !mayDiffer(world, atMs))
      faults.push(
        `signal ${core.auditId} was confirmed of ${core.createdAt}, and is stored of ${row.createdAt}`,
      );
  }
  return faults;
}
