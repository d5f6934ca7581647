import type { SignalRow } from '#schemas/tables/tables.ts';
import type { World } from '../world-of-run.ts';
import { erasedCustomers, whoseLedgerWaits } from './confirmed.ts';

/**
 * After a restore of an older state, the claim of an audit id whose entry is in the log may be missing. A repeat
 * without its own time is then answered with the time of the repeat, while the signal of the first attempt stays.
 * Either time may be later, because the two attempts may have reached processes with different clocks. What was
 * confirmed before the restore had its claim and is stored as confirmed.
 */
const mayDiffer = ({ restoredAt }: World, atMs: number): boolean => restoredAt !== null && atMs > restoredAt;

/** Every confirmed platform signal is stored once, as confirmed. */
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
