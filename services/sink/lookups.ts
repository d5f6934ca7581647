import { coreFault } from '../../core/evidence/columns.ts';
import { comparePositions } from '../../core/evidence/verify-leaf.ts';
import { partitionOf } from '../../platform/event-log/murmur2.ts';
import { type ErasureCore, entryIdOf } from '../../schemas/events/events.ts';
import type { EntryRow, LedgerIdRow, SignalRow } from '../../schemas/tables/tables.ts';
import { PARTITIONS } from '../../schemas/topics.ts';
import { NO_TARGETS, type StoredTargets, targetsOf } from './fold/content-below.ts';
import { type FoldInput, knownKey } from './fold/fold-batch.ts';
import type { LedgerRecord } from './fold/ledger-record.ts';
import type { Head } from './fold/rows.ts';
import type { SinkStore } from './store.ts';

/** Records of one ledger partition that are folded together, with the heads that are known from the piece before. */
export interface LedgerPiece {
  readonly records: readonly LedgerRecord[];
  readonly cachedHeads: ReadonlyMap<string, Head>;
}

export type Lookups = Pick<FoldInput, 'known' | 'cores' | 'heads' | 'targets'>;

/**
 * What is stored below the first record of each piece, in the order of the pieces. Rows at or above that position
 * come from a run that did not reach its commit: taking them for older ones would turn each record into a repeat of
 * itself, and the chain would fork. A customer's records all lie in one partition, so one offset bounds them.
 */
export async function lookUp(
  store: SinkStore,
  epoch: number,
  pieces: readonly LedgerPiece[],
): Promise<Lookups[]> {
  const owned = pieces.flatMap((piece) => ownedBy(piece));
  const bounds = new Map(owned.map(({ record, below }) => [record.key, below]));
  const [ids, heads] = await Promise.all([
    knownIds(store, epoch, owned, bounds),
    headsOf(store, epoch, pieces, bounds),
  ]);
  const known = new Set(ids.keys());
  const cores = await coresOf(store, owned, ids);
  return Promise.all(
    pieces.map(async ({ records }) => ({
      known,
      cores,
      heads,
      targets: await storedTargets(store, records, known),
    })),
  );
}

interface Owned {
  readonly record: LedgerRecord;
  /** Offset that bounds what is stored below the record's piece. */
  readonly below: number;
}

/**
 * Records that lie where their key belongs. The others stop their partition in the fold; taken along here they would
 * set the bound of a customer whose partition is in the same flush.
 */
function ownedBy({ records }: LedgerPiece): Owned[] {
  const below = records[0]?.offset ?? 0;
  return records
    .filter(({ key, partition }) => partitionOf(key, PARTITIONS) === partition)
    .map((record) => ({ record, below }));
}

async function knownIds(
  store: SinkStore,
  epoch: number,
  owned: readonly Owned[],
  bounds: ReadonlyMap<string, number>,
): Promise<Map<string, LedgerIdRow>> {
  const wanted = new Map<string, { customerId: string; entryId: string }>();
  for (const { record } of owned) {
    const { entry } = record;
    const entryId = entryIdOf(entry.kind, entry.id);
    wanted.set(knownKey(entry.customerId, entryId), { customerId: entry.customerId, entryId });
  }
  const known = new Map<string, LedgerIdRow>();
  for (const row of await store.ids([...wanted.values()])) {
    const bound = { epoch, offset: bounds.get(row.customerId) ?? 0 };
    if (comparePositions(row, bound) < 0) known.set(knownKey(row.customerId, row.entryId), row);
  }
  return known;
}

/** Cores of the entries that records other than signals repeat: few, except when a log is read a second time. */
async function coresOf(
  store: SinkStore,
  owned: readonly Owned[],
  ids: ReadonlyMap<string, LedgerIdRow>,
): Promise<Map<string, string>> {
  const wanted = new Set<LedgerIdRow>();
  for (const { record } of owned) {
    const { kind, id, customerId } = record.entry;
    const row = kind === 'SIGNAL' ? undefined : ids.get(knownKey(customerId, entryIdOf(kind, id)));
    if (row !== undefined) wanted.add(row);
  }
  const rows = wanted.size === 0 ? [] : await store.coreHashes([...wanted]);
  return new Map(rows.map(({ customerId, entryId, coreHash }) => [knownKey(customerId, entryId), coreHash]));
}

async function headsOf(
  store: SinkStore,
  epoch: number,
  pieces: readonly LedgerPiece[],
  bounds: ReadonlyMap<string, number>,
): Promise<Map<string, Head>> {
  const heads = new Map<string, Head>();
  for (const customerId of bounds.keys()) {
    const cached = pieces.find((piece) => piece.cachedHeads.has(customerId))?.cachedHeads.get(customerId);
    if (cached !== undefined) heads.set(customerId, cached);
  }
  const missing = [...bounds].filter(([customerId]) => !heads.has(customerId));
  const customerIds = missing.map(([customerId]) => customerId);
  const [rows, closings] = await Promise.all([
    store.heads(
      epoch,
      missing.map(([customerId, belowOffset]) => ({ customerId, belowOffset })),
    ),
    store.closings(customerIds),
  ]);
  for (const { customerId, index, hash } of rows) {
    // Bounded by the head's index: the closing row itself may lie at a later position by now, once it was blanked.
    const closed = closings.some((one) => one.customerId === customerId && one.index <= index);
    heads.set(customerId, { index, hash, closed });
  }
  return heads;
}

/** Stored rows that the piece's ERASUREs name. Repeats blank nothing again. */
async function storedTargets(
  store: SinkStore,
  records: readonly LedgerRecord[],
  known: ReadonlySet<string>,
): Promise<StoredTargets> {
  const wanted = new Map<string, Set<number>>();
  for (const { entry } of records) {
    if (entry.kind !== 'ERASURE' || known.has(knownKey(entry.customerId, entryIdOf(entry.kind, entry.id))))
      continue;
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

/** Indexes that the core of an ERASURE names; none when it does not hold what the fold would take. */
export function erasureTargets(core: string): number[] {
  const parsed = parseErasure(core);
  return parsed === null ? [] : targetsOf(parsed);
}

function parseErasure(core: string): ErasureCore | null {
  try {
    const value: unknown = JSON.parse(core);
    return coreFault('ERASURE', '', '', value) === null ? (value as ErasureCore) : null;
  } catch {
    return null;
  }
}
