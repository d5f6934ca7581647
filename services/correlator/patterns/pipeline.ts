import type { Codec } from '#platform/codec/port.ts';
import type { Batch, EventLog, StoredRecord } from '#platform/event-log/port.ts';
import { createSerialQueue } from '#platform/flow/serial-queue.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { chainHashAt } from '#platform/warehouse/queries/evidence/policies/enforcement.ts';
import { byCustomer, headersOf } from '../folded/folded-records.ts';
import { correlatedEntry } from './correlated-entry.ts';
import { type CustomerFold, type CustomerFolds, customerFolds, NEW_SIZE } from './customer-folds.ts';
import { findingRecords } from './finding-records.ts';
import { foldFrom } from './first-contact.ts';
import { savedFolds, saveFolds } from './fold-snapshots.ts';
import { foldMissing } from './missing-entries.ts';

export interface PatternDependencies {
  readonly log: Pick<EventLog, 'append'>;
  readonly warehouse: Warehouse;
  readonly codec: Pick<Codec, 'encodeFinding'>;
  readonly decodeFoldedEntries: (
    value: Buffer,
  ) => ReturnType<Codec['decodeFoldedEntries']> | Promise<ReturnType<Codec['decodeFoldedEntries']>>;
  /** Limit for the folds in memory. */
  readonly maxBytes: number;
  /** Yields to other work of the process. */
  readonly yieldTurn: YieldTurn;
}

interface Patterns {
  /** Called with each assignment: another owner may have continued meanwhile. */
  onAssigned(partition: number): void;
  /** Resolves when all findings from the batch are in the log. */
  process(batch: Batch): Promise<undefined>;
  /** Saves the customers of these partitions: then commit. */
  beforeCommits(partitions: readonly number[]): Promise<void>;
}

/** Maximum records per append: a window that closes may end thousands of findings. */
const APPEND_RECORDS = 256;

/** Appends some of a customer's findings that are not in the log yet. */
const senderOf =
  ({ log, codec }: PatternDependencies) =>
  async (held: CustomerFold): Promise<void> => {
    const sent = new Set(held.unsent.slice(0, APPEND_RECORDS));
    if (sent.size === 0) return;
    await log.append(findingRecords(codec, held.customerId, [...sent]));
    // Two callers may send the same findings concurrently, and more may have been found meanwhile.
    held.unsent = held.unsent.filter((finding) => !sent.has(finding));
  };

/**
 * Folds the sink's published entries into patterns. Findings follow from the entries and their order alone, so a repeat
 * finds the same, and the highest version of a finding wins: findings first, then snapshots, then the commit.
 */
export function createPatterns(dependencies: PatternDependencies): Patterns {
  const { warehouse, yieldTurn } = dependencies;
  const folds = customerFolds(dependencies.maxBytes);
  /** Customers of batches in progress, in any partition: their folds must not be released meanwhile. */
  const busy = new Set<string>();

  const send = senderOf(dependencies);
  const foldRecords = async (
    partition: number,
    customerId: string,
    records: readonly StoredRecord[],
  ): Promise<void> => {
    for (const record of records) {
      const { first, end, epoch } = headersOf(record);
      const known = await sameLedger(warehouse, folds, customerId, epoch);
      if (known !== undefined && end < known.fold.next) continue;
      const { entries } = await dependencies.decodeFoldedEntries(record.value);
      const held =
        known ?? folds.put(await newFold(warehouse, { customerId, partition, epoch }, entries[0]!));
      if (held.fold.next < first) await foldMissing(warehouse, held, first);
      held.unsent.push(...held.fold.fold(entries.map(correlatedEntry)));
      held.hash = entries.at(-1)!.hash;
      held.isDirty = true;
      await yieldTurn();
    }
  };
  const saving = { warehouse, send, onSize: folds.resize, yieldTurn };
  // One save at a time: what another save is still writing is not stored yet, and a commit must not overtake it.
  const saves = createSerialQueue();
  const sendAll = async (customerIds: Iterable<string>): Promise<void> => {
    for (const customerId of customerIds) {
      const held = folds.get(customerId);
      while (held !== undefined && held.unsent.length > 0) await send(held);
    }
  };

  const makeRoom = async (): Promise<void> => {
    const going = folds.surplus(busy);
    if (going.length === 0) return;
    await saves.run(() => saveFolds(saving, going));
    // A fold may have been requested again meanwhile.
    for (const held of going)
      if (!held.isDirty && held.unsent.length === 0 && !busy.has(held.customerId))
        folds.forget(held.customerId);
  };

  return {
    onAssigned: folds.forgetPartition,
    process: async ({ partition, records }) => {
      const owned = byCustomer(records);
      for (const customerId of owned.keys()) busy.add(customerId);
      try {
        const unknown = [...owned.keys()].filter((customerId) => !folds.has(customerId));
        for await (const held of savedFolds(warehouse, partition, unknown)) folds.put(held);
        for (const [customerId, own] of owned) await foldRecords(partition, customerId, own);
        await sendAll(owned.keys());
        await makeRoom();
      } finally {
        for (const customerId of owned.keys()) busy.delete(customerId);
      }
      return undefined;
    },
    beforeCommits: async (partitions) => {
      const held = partitions.flatMap((partition) => folds.ofPartition(partition));
      await saves.run(() => saveFolds(saving, held));
    },
  };
}

async function newFold(
  warehouse: Warehouse,
  owner: Pick<CustomerFold, 'customerId' | 'partition' | 'epoch'>,
  { index, at }: { readonly index: number; readonly at: string },
): Promise<CustomerFold> {
  const fold = await foldFrom(warehouse, owner.customerId, { first: index, at: Date.parse(at) });
  return { ...owner, fold, hash: '', unsent: [], isDirty: false, size: NEW_SIZE };
}

/**
 * The customer's fold. A log of another epoch may hold another ledger: if the hash at the fold's index differs, the
 * fold is discarded and starts again.
 */
async function sameLedger(
  warehouse: Warehouse,
  folds: CustomerFolds,
  customerId: string,
  epoch: number,
): Promise<CustomerFold | undefined> {
  const held = folds.get(customerId);
  if (held === undefined || held.epoch === epoch) return held;
  const stored = held.fold.next === 0 ? null : await chainHashAt(warehouse, customerId, held.fold.next - 1);
  if (stored === null || stored !== held.hash) {
    folds.forget(customerId);
    return undefined;
  }
  held.epoch = epoch;
  held.isDirty = true;
  return held;
}
