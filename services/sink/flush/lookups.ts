import { comparePositions } from '#core/evidence/verify/verify-leaf.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { ERASURE_V1, type ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { EntryRow, LedgerIdRow, SignalRow } from '#schemas/tables/tables.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { NO_TARGETS, type StoredTargets, targetsOf } from '../fold/content-below.ts';
import { type FoldInput, knownKey } from '../fold/fold-batch.ts';
import type { LedgerRecord } from '../fold/ledger-record.ts';
import type { Head } from '../fold/rows.ts';
import { isStored } from '../rows/signal-ids.ts';
import type { SinkStore } from './store.ts';

/** Records of one ledger partition that are folded together, with the heads known from the previous chunk. */
export interface LedgerChunk {
  readonly records: readonly LedgerRecord[];
  readonly cachedHeads: ReadonlyMap<string, Head>;
}

type Lookups = Pick<FoldInput, 'known' | 'cores' | 'heads' | 'targets'>;

/**
 * What is stored below the first record of each chunk, in the order of the chunks. Rows at or above that position come
 * from a run that did not reach its commit: if they counted as older ones, each record would be a repeat of itself, and
 * the chain would fork. The store is queried once for all chunks, but the chunks stay separate: each has its own bound,
 * cached heads and known ids. Throws when two chunks contain the same customer.
 */
export async function lookUp(
  store: SinkStore,
  epoch: number,
  chunks: readonly LedgerChunk[],
): Promise<Lookups[]> {
  const owned = chunks.map(ownedBy);
  assertApart(owned);
  const [ids, heads] = await Promise.all([knownIds(store, epoch, owned), headsOf(store, epoch, owned)]);
  const known = ids.map((rows, n) => new Set([...rows.keys(), ...rememberedIds(owned[n]!)]));
  const cores = await coresOf(store, owned, ids);
  return Promise.all(
    chunks.map(async ({ records }, n) => ({
      known: known[n]!,
      cores: cores[n]!,
      heads: heads[n]!,
      targets: await storedTargets(store, records, known[n]!),
    })),
  );
}

interface Owned {
  readonly records: readonly LedgerRecord[];
  readonly customerIds: ReadonlySet<string>;
  /** Offset below which stored rows count. */
  readonly below: number;
  readonly cachedHeads: ReadonlyMap<string, Head>;
}

/**
 * Records in the partition of their key that belong to the customer named by the key. The others stop their partition
 * in the fold; included here, they would look up a customer whose partition is in the same flush.
 */
function ownedBy({ records, cachedHeads }: LedgerChunk): Owned {
  const own = records.filter(isOwn);
  return {
    records: own,
    customerIds: new Set(own.map(keyOf)),
    below: records[0]?.offset ?? 0,
    cachedHeads,
  };
}

const isOwn = ({ key, partition, entry }: LedgerRecord): boolean =>
  key === entry.customerId && partitionOf(key, PARTITIONS) === partition;

const keyOf = ({ key }: LedgerRecord): string => key;

/**
 * One bound is enough for a customer because all its records are in one partition, and a flush holds one chunk of each.
 */
function assertApart(chunks: readonly Owned[]): void {
  const seen = new Set<string>();
  for (const { customerIds } of chunks) {
    for (const customerId of customerIds) {
      if (seen.has(customerId)) throw new Error('two chunks of a flush contain entries of the same customer');
      seen.add(customerId);
    }
  }
}

async function knownIds(
  store: SinkStore,
  epoch: number,
  chunks: readonly Owned[],
): Promise<ReadonlyMap<string, LedgerIdRow>[]> {
  const wanted = new Map<string, { customerId: string; entryId: string }>();
  for (const { records, cachedHeads } of chunks) {
    for (const { entry } of records) {
      if (storedAsRemembered(entry, cachedHeads) !== null) continue;
      const entryId = entryIdOf(entry.kind, entry.id);
      wanted.set(nameOf(entry), { customerId: entry.customerId, entryId });
    }
  }
  const rows = await store.ids([...wanted.values()]);
  return chunks.map((chunk) => olderOf(rows, epoch, chunk));
}

/** The chunk's customers that are stored below it. */
function olderOf(
  rows: readonly LedgerIdRow[],
  epoch: number,
  { customerIds, below }: Owned,
): ReadonlyMap<string, LedgerIdRow> {
  const bound = { epoch, offset: below };
  const older = new Map<string, LedgerIdRow>();
  for (const row of rows) {
    if (!customerIds.has(row.customerId) || comparePositions(row, bound) >= 0) continue;
    older.set(knownKey(row.customerId, row.entryId), row);
  }
  return older;
}

/** Whether an entry is stored below its chunk, as far as earlier chunks show. */
const storedAsRemembered = (
  { kind, customerId, id }: LedgerRecord['entry'],
  heads: ReadonlyMap<string, Head>,
): boolean | null => (kind === 'SIGNAL' ? isStored(heads.get(customerId)?.signals, id) : null);

function rememberedIds({ records, cachedHeads }: Owned): string[] {
  const repeats: string[] = [];
  for (const { entry } of records) {
    if (storedAsRemembered(entry, cachedHeads) === true) repeats.push(nameOf(entry));
  }
  return repeats;
}

const nameOf = ({ customerId, kind, id }: LedgerRecord['entry']): string =>
  knownKey(customerId, entryIdOf(kind, id));

const isOther = ({ entry }: LedgerRecord): boolean => entry.kind !== 'SIGNAL';

/** Cores of the stored entries that non-signal records repeat: few, except when a log is read a second time. */
async function coresOf(
  store: SinkStore,
  chunks: readonly Owned[],
  ids: readonly ReadonlyMap<string, LedgerIdRow>[],
): Promise<ReadonlyMap<string, string>[]> {
  const wanted = chunks.map(({ records }, n) => {
    const repeated = records.filter(isOther).map(({ entry }) => nameOf(entry));
    return new Map(repeated.flatMap((name) => (ids[n]!.has(name) ? [[name, ids[n]!.get(name)!]] : [])));
  });
  const rows = wanted.flatMap((chunk) => [...chunk.values()]);
  const stored = rows.length === 0 ? [] : await store.coreHashes(rows);
  const cores = new Map(stored.map((row) => [knownKey(row.customerId, row.entryId), row.coreHash]));
  return wanted.map(
    (chunk) =>
      new Map([...chunk.keys()].flatMap((name) => (cores.has(name) ? [[name, cores.get(name)!]] : []))),
  );
}

async function headsOf(
  store: SinkStore,
  epoch: number,
  chunks: readonly Owned[],
): Promise<ReadonlyMap<string, Head>[]> {
  const missing = chunks.flatMap(({ customerIds, cachedHeads, below }) =>
    [...customerIds]
      .filter((customerId) => !cachedHeads.has(customerId))
      .map((customerId) => ({ customerId, belowOffset: below })),
  );
  const customerIds = missing.map(({ customerId }) => customerId);
  const [rows, closings, newest] = await Promise.all([
    store.heads(epoch, missing),
    store.closings(customerIds),
    store.newestSignals(customerIds),
  ]);
  const found = new Map<string, Head>();
  for (const { customerId, index, hash } of rows) {
    // Bounded by the head's index: the closing row itself may be at a later position by now, if it was blanked.
    const closed = closings.some((one) => one.customerId === customerId && one.index <= index);
    // Not bounded: a greater id from a run that did not reach its commit only causes more look-ups.
    const id = newest.find((one) => one.customerId === customerId)?.id ?? '';
    found.set(customerId, { index, hash, closed, signals: { newest: id, recent: new Set() } });
  }
  return chunks.map(({ customerIds, cachedHeads }) => {
    const heads = new Map<string, Head>();
    for (const customerId of customerIds) {
      const head = cachedHeads.get(customerId) ?? found.get(customerId);
      if (head !== undefined) heads.set(customerId, head);
    }
    return heads;
  });
}

/** Stored rows named by the chunk's ERASUREs. Repeated ERASUREs blank nothing again. */
async function storedTargets(
  store: SinkStore,
  records: readonly LedgerRecord[],
  known: ReadonlySet<string>,
): Promise<StoredTargets> {
  const wanted = new Map<string, Set<number>>();
  for (const { entry } of records) {
    if (entry.kind !== 'ERASURE' || known.has(nameOf(entry))) continue;
    const indexes = wanted.get(entry.customerId) ?? new Set<number>();
    for (const index of erasureTargets(entry.core)) indexes.add(index);
    wanted.set(entry.customerId, indexes);
  }
  if (wanted.size === 0) return NO_TARGETS;
  const signals: SignalRow[] = [];
  const entries: EntryRow[] = [];
  const audits: StoredTargets['audits'][number][] = [];
  for (const [customerId, indexes] of wanted) {
    const [found, others] = await Promise.all([
      store.signals(customerId, [...indexes]),
      store.entries(customerId, [...indexes]),
    ]);
    signals.push(...found);
    entries.push(...others);
    if (found.length > 0) audits.push(...(await store.audits(customerId, found)));
  }
  return { signals, entries, audits };
}

/** Indexes named by an ERASURE's core; none when the fold would refuse it. */
export function erasureTargets(core: string): number[] {
  const parsed = parseErasure(core);
  return parsed === null ? [] : targetsOf(parsed);
}

function parseErasure(core: string): ErasureCore | null {
  try {
    const value: unknown = JSON.parse(core);
    return ERASURE_V1.storedCoreFault({ id: '', at: '', core: value }) === null
      ? (value as ErasureCore)
      : null;
  } catch {
    return null;
  }
}
