import { servedCore } from '#core/evidence/served.ts';
import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { EMPTY_FRONTIER, rootOf, withLeaf } from '#core/evidence/tree/frontier.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { AUDITS, LEDGER, LEDGER_IDS, POSITIONS, SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { LEDGER as LEDGER_TOPIC } from '#schemas/topics.ts';
import { completedRow } from '#services/sink/rows/audit-rows.ts';
import type { StoredWorld } from './stored-world.ts';

const EPOCH = 1;
const OFFSETS_PER_ENTRY = 10;

/** A chain of signals of a customer; `other`: from this index on the content differs, with correct hashes. */
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

/** Stores entries of a chain, starting at `from`, as the sink does, including its positions; trees are not grown. */
export async function storeChain(
  { real }: StoredWorld,
  customerId: string,
  { ledger, signals }: SignalChain,
  from = 0,
): Promise<void> {
  const rows = ledger.slice(from);
  await real.insert(SIGNALS, signals.slice(from));
  await storeDerived({ real }, { ledger: rows, signals: signals.slice(from) });
  await real.insert(LEDGER, rows);
  await storeLedgerPosition({ real }, customerId, ledger.length);
}

/** Stores what is derived from entries: their ids, and the audit list. */
export async function storeDerived(
  { real }: Pick<StoredWorld, 'real'>,
  { ledger, signals }: Pick<SignalChain, 'ledger' | 'signals'>,
): Promise<void> {
  await real.insert(
    LEDGER_IDS,
    ledger.map(({ customerId, entryId, index, epoch, partition, offset }) => ({
      customerId,
      entryId,
      index,
      epoch,
      partition,
      offset,
    })),
  );
  await real.insert(AUDITS, signals.map(auditOf));
}

/** The audit list's row of a signal. */
function auditOf(signal: SignalRow) {
  const { customerId, acceptedAt, auditId } = signal;
  const headers = { auditId, customerId, acceptedAt, generation: '0', attempt: '1', steps: '[]' };
  return completedRow(customerId, headers, servedCore(signal), signal);
}

/** Stores the sink's position after the chain's first `entries` entries. */
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
