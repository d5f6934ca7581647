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
import type { HeldFold } from './customer-folds.ts';

/** Of snapshots that are read or written with one statement: characters, and customers. */
const STATEMENT_CHARACTERS = 8 * 1024 * 1024;
const STATEMENT_CUSTOMERS = 64;

/** Folds of these customers as they were saved, of those who have one that is of use. */
export async function* savedFolds(
  warehouse: Warehouse,
  partition: number,
  customerIds: readonly string[],
): AsyncGenerator<HeldFold, void> {
  for (let at = 0; at < customerIds.length; at += STATEMENT_CUSTOMERS) {
    for (const row of await snapshotsOf(warehouse, customerIds.slice(at, at + STATEMENT_CUSTOMERS))) {
      const held = restored(row, partition);
      if (held !== null) yield held;
    }
  }
}

/** Null: it was written by other rules. */
function restored({ customerId, epoch, hash, snapshot }: StoredSnapshot, partition: number): HeldFold | null {
  const options = { customerId, similarity: FINGERPRINTS };
  const fold = restoreFold(options, JSON.parse(snapshot) as FoldSnapshot);
  if (fold === null) return null;
  return { customerId, partition, fold, epoch, hash, unsent: [], isDirty: false, size: fold.weight };
}

interface SavingFolds {
  readonly warehouse: Warehouse;
  /** Puts into the log what one found and is not there yet. */
  readonly send: (held: HeldFold) => Promise<void>;
  /** Told what each holds, in bytes. */
  readonly onSize: (held: HeldFold, bytes: number) => void;
  readonly yieldTurn: YieldTurn;
}

/** Saves what changed of these, some with one statement. What could not be stored is saved with the next round. */
export async function saveFolds(
  { warehouse, send, onSize, yieldTurn }: SavingFolds,
  all: readonly HeldFold[],
): Promise<void> {
  let taken: HeldFold[] = [];
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
    // Entries are folded meanwhile: what they find must be in the log before a snapshot that knows of it.
    while (held.unsent.length > 0) await send(held);
    if (!held.isDirty) continue;
    const row = snapshotOf(held);
    held.isDirty = false;
    onSize(held, held.fold.weight);
    // Of a closed customer nothing is kept.
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

const snapshotOf = ({ customerId, fold, epoch, hash }: HeldFold): StoredSnapshot => ({
  customerId,
  epoch,
  next: fold.next,
  hash,
  snapshot: JSON.stringify(fold.snapshot()),
});
