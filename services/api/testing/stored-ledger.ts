import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { EMPTY_FRONTIER, rootOf, withLeaf } from '#core/evidence/tree/frontier.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { LEDGER, LEDGER_IDS, POSITIONS, SIGNALS } from '#schemas/tables/tables.ts';
import { LEDGER as LEDGER_TOPIC } from '#schemas/topics.ts';
import type { StoredWorld } from './stored-world.ts';

const EPOCH = 1;
const OFFSETS_PER_ENTRY = 10;

/** A chain of signals of a customer; `other`: from this index on their content is another one, with right hashes. */
export const signalChain = (customerId: string, size: number, other = Number.POSITIVE_INFINITY) =>
  storedRows(
    Array.from({ length: size }, (_, index) => ({
      ...sampleDraft(index, 'SIGNAL', {
        ...sampleCore(index),
        ...(index < other ? {} : { model: 'another' }),
      }),
      customerId,
    })),
  );
export type SignalChain = ReturnType<typeof signalChain>;

/** Stores entries of a chain from `from` on as the sink does, up to its positions; trees are not grown. */
export async function storeChain(
  { real }: StoredWorld,
  customerId: string,
  { ledger, signals }: SignalChain,
  from = 0,
): Promise<void> {
  const rows = ledger.slice(from);
  await real.insert(SIGNALS, signals.slice(from));
  await real.insert(
    LEDGER_IDS,
    rows.map(({ entryId, index, epoch, partition, offset }) => ({
      customerId,
      entryId,
      index,
      epoch,
      partition,
      offset,
    })),
  );
  await real.insert(LEDGER, rows);
  await storeLedgerPosition({ real }, customerId, ledger.length);
}

/** The sink's position behind the chain's first `entries` entries. */
export const storeLedgerPosition = (
  { real }: Pick<StoredWorld, 'real'>,
  customerId: string,
  entries: number,
): Promise<void> =>
  real.insert(POSITIONS, [
    {
      epoch: EPOCH,
      topic: LEDGER_TOPIC.name,
      partition: partitionOf(customerId, LEDGER_TOPIC.partitions),
      nextOffset: entries === 0 ? 0 : (entries - 1) * OFFSETS_PER_ENTRY + 1,
      lastDigest: '',
      lastAt: new Date(0).toISOString(),
    },
  ]);

/** Root over the first `size` entries, in lower-case hex. */
export function rootAt({ ledger }: SignalChain, size: number): string {
  let frontier = EMPTY_FRONTIER;
  for (const row of ledger.slice(0, size)) frontier = withLeaf(frontier, Buffer.from(row.leafHash, 'hex'));
  return rootOf(frontier).toString('hex');
}
