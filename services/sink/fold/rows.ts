import { CHAIN_START, chainHash, dataHash, leafHash } from '#core/evidence/hashing.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { LedgerIdRow, LedgerRow } from '#schemas/tables/tables.ts';
import type { SignalIds } from '../rows/signal-ids.ts';
import type { CheckedEntry } from './ledger-record.ts';

/** End of a customer's chain below a position. */
export interface Head {
  readonly index: number;
  /** Lower-case hex. */
  readonly hash: string;
  /** True once a closing ERASURE was folded: every later entry is folded blank. */
  readonly closed: boolean;
  /** Undefined when unknown: the fold works without. */
  readonly signals?: SignalIds | undefined;
}

/** An entry linked into its customer's chain. */
export type LinkedEntry = Readonly<LedgerRow>;

/** Gives a checked entry the index after `head` and links it: the row of `ledger`. */
export function linkEntry(
  { entry, record }: CheckedEntry,
  head: Head | undefined,
  epoch: number,
): LinkedEntry {
  const { v, kind, id, customerId, at } = entry;
  const index = head === undefined ? 0 : head.index + 1;
  const previous = head === undefined ? CHAIN_START : Buffer.from(head.hash, 'hex');
  const data = dataHash(entry.coreHash, entry.detailHash).toString('hex');
  const leaf = leafHash({ v, kind, customerId, index, id, at, dataHash: data });
  return {
    customerId,
    index,
    entryId: entryIdOf(kind, id),
    kind,
    id,
    v,
    at,
    dataHash: data,
    coreHash: entry.coreHash.toString('hex'),
    detailHash: entry.detailHash.toString('hex'),
    leafHash: leaf.toString('hex'),
    previousHash: previous.toString('hex'),
    hash: chainHash(previous, leaf).toString('hex'),
    epoch,
    partition: record.partition,
    offset: record.offset,
  };
}

export const idRow = ({
  customerId,
  entryId,
  index,
  epoch,
  partition,
  offset,
}: LinkedEntry): LedgerIdRow => ({
  customerId,
  entryId,
  index,
  epoch,
  partition,
  offset,
});
