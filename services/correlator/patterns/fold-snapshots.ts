import { restoreFold } from '#core/correlate/fold/fold.ts';
import type { FoldSnapshot } from '#core/correlate/fold/snapshot.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type StoredSnapshot,
  snapshotsOf,
  storeSnapshots,
} from '#platform/warehouse/queries/evidence/correlation-snapshots.ts';
import type { CustomerFold } from './customer-folds.ts';

/** Limits per statement that reads or writes snapshots: characters, and customers. */
const STATEMENT_CHARACTERS = 8 * 1024 * 1024;
const STATEMENT_CUSTOMERS = 64;

/** The saved folds of these customers, where a usable one exists. */
export async function* savedFolds(
  warehouse: Warehouse,
  partition: number,
  customerIds: readonly string[],
): AsyncGenerator<CustomerFold, void> {
  for (let at = 0; at < customerIds.length; at += STATEMENT_CUSTOMERS) {
    for (const row of await snapshotsOf(warehouse, customerIds.slice(at, at + STATEMENT_CUSTOMERS))) {
      const held = restored(row, partition);
      if (held !== null) yield held;
    }
  }
}

/** Null: it was written under other rules. */
function restored(
  { customerId, epoch, hash, snapshot }: StoredSnapshot,
  partition: number,
): CustomerFold | null {
  const options = { customerId, similarity: FINGERPRINTS };
  const fold = restoreFold(options, JSON.parse(snapshot) as FoldSnapshot);
  if (fold === null) return null;
  return { customerId, partition, fold, epoch, hash, unsent: [], isDirty: false, size: fold.weight };
}

interface SavingFolds {
  readonly warehouse: Warehouse;
  /** Appends a fold's findings that are not in the log yet. */
  readonly send: (held: CustomerFold) => Promise<void>;
  /** Called with the size of each, in bytes. */
  readonly onSize: (held: CustomerFold, bytes: number) => void;
  readonly yieldTurn: YieldTurn;
}

/** Saves the changed folds, several per statement. Folds that could not be stored are saved in the next round. */
export async function saveFolds(
  { warehouse, send, onSize, yieldTurn }: SavingFolds,
  all: readonly CustomerFold[],
): Promise<void> {
  let taken: CustomerFold[] = [];
  let rows: StoredSnapshot[] = [];
  let characters = 0;
  const store = async (): Promise<void> => {
    const [held, stored] = [taken, rows];
    [taken, rows, characters] = [[], [], 0];
    try {
      if (stored.length > 0) await storeSnapshots(warehouse, stored);
    } catch (error) {
      for (const one of held) one.isDirty = true;
      throw error;
    }
  };
  for (const held of all) {
    // Entries are folded meanwhile: their findings must be in the log before a snapshot that includes them.
    while (held.unsent.length > 0) await send(held);
    if (!held.isDirty) continue;
    const row = snapshotOf(held);
    held.isDirty = false;
    onSize(held, held.fold.weight);
    // Nothing is kept for a closed customer.
    if (!held.fold.isClosed) {
      taken.push(held);
      rows.push(row);
      characters += row.snapshot.length;
    }
    if (characters >= STATEMENT_CHARACTERS || rows.length >= STATEMENT_CUSTOMERS) await store();
    await yieldTurn();
  }
  await store();
}

const snapshotOf = ({ customerId, fold, epoch, hash }: CustomerFold): StoredSnapshot => ({
  customerId,
  epoch,
  next: fold.next,
  hash,
  snapshot: JSON.stringify(fold.snapshot()),
});
