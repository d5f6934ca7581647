import { isDeepStrictEqual } from 'node:util';
import { COMPLETED_RANK, ERASED_RANK } from '#schemas/tables/audit-ranks.ts';
import type {
  AuditRow,
  CheckpointRow,
  ContradictionRow,
  CorrelationRow,
  CorrelationSnapshotRow,
  EntryRow,
  LedgerIdRow,
  LedgerRow,
  PositionRow,
  SignalRow,
  SkipRow,
  SubtreeRow,
} from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';

/** Tables of the sink's flushes, those derived from the ledger afterwards, and findings in its signals. */
interface Rows {
  signals: SignalRow[];
  entries: EntryRow[];
  ledger_ids: LedgerIdRow[];
  ledger: LedgerRow[];
  contradictions: ContradictionRow[];
  audits: AuditRow[];
  positions: PositionRow[];
  skips: SkipRow[];
  subtrees: SubtreeRow[];
  checkpoints: CheckpointRow[];
  correlations: CorrelationRow[];
  correlation_snapshots: CorrelationSnapshotRow[];
}
type TableName = keyof Rows;

/** Sort key and version of each table, as ReplacingMergeTree uses them. */
const REPLACING: {
  readonly [Table in TableName]: {
    readonly key: (row: Rows[Table][number]) => readonly unknown[];
    readonly version: (row: Rows[Table][number]) => bigint;
  };
} = {
  signals: {
    key: (row) => [row.customerId, row.createdAt, row.auditId],
    version: (row) => BigInt(row.revision),
  },
  entries: { key: (row) => [row.customerId, row.index], version: (row) => BigInt(row.revision) },
  ledger_ids: { key: (row) => [row.customerId, row.entryId], version: () => 0n },
  ledger: { key: (row) => [row.customerId, row.index], version: () => 0n },
  contradictions: { key: (row) => [row.epoch, row.partition, row.offset], version: () => 0n },
  audits: {
    key: (row) => [row.customerId, row.acceptedAt, row.auditId],
    version: (row) => BigInt(row.version),
  },
  positions: {
    key: (row) => [row.epoch, row.topic, row.partition],
    version: (row) => BigInt(row.nextOffset),
  },
  skips: {
    key: (row) => [row.epoch, row.topic, row.partition, row.offset, row.untilOffset, row.digest],
    version: () => 0n,
  },
  subtrees: { key: (row) => [row.customerId, row.height, row.index], version: () => 0n },
  checkpoints: { key: (row) => Object.values(row), version: () => 0n },
  correlations: { key: (row) => [row.customerId, row.id], version: (row) => BigInt(row.version) },
  correlation_snapshots: { key: (row) => [row.customerId], version: (row) => BigInt(row.version) },
};

/** The warehouse's tables in memory: raw rows, and what FINAL makes of them. */
export interface MemoryStore extends SinkStore {
  readonly rows: Rows;
  /** Rows under FINAL by sort key. Throws when rows of one key and version differ: the winner would be random. */
  final(): { readonly [Table in TableName]: Rows[Table] };
  /** Does the same as `scrubErased`. */
  scrub(): void;
}

export function createMemoryStore(epoch = 1): MemoryStore {
  const rows: Rows = {
    signals: [],
    entries: [],
    ledger_ids: [],
    ledger: [],
    contradictions: [],
    audits: [],
    positions: [],
    skips: [],
    subtrees: [],
    checkpoints: [],
    correlations: [],
    correlation_snapshots: [],
  };
  const copy = <Value>(value: Value): Value => structuredClone(value);
  return {
    rows,
    epoch: async () => epoch,
    position: async (ofEpoch, topic, partition) => {
      const own = rows.positions.filter(
        (row) => row.epoch === ofEpoch && row.topic === topic && row.partition === partition,
      );
      return own.reduce<PositionRow | null>(
        (best, row) => (best === null || row.nextOffset > best.nextOffset ? row : best),
        null,
      );
    },
    skips: async (ofEpoch) => copy(rows.skips.filter((row) => row.epoch === ofEpoch)),
    ids: async (wanted) =>
      rows.ledger_ids.filter((row) =>
        wanted.some((one) => one.customerId === row.customerId && one.entryId === row.entryId),
      ),
    coreHashes: async (wanted) =>
      rows.ledger.filter((row) =>
        wanted.some((one) => one.customerId === row.customerId && one.index === row.index),
      ),
    heads: async (ofEpoch, wanted) =>
      wanted.flatMap(({ customerId, belowOffset }) => {
        const below = rows.ledger.filter(
          (row) =>
            row.customerId === customerId &&
            (row.epoch < ofEpoch || (row.epoch === ofEpoch && row.offset < belowOffset)),
        );
        return below.sort((a, b) => b.index - a.index).slice(0, 1);
      }),
    newestSignals: async (customerIds) =>
      customerIds.flatMap((customerId) => {
        const own = rows.ledger_ids.filter((row) => row.customerId === customerId);
        const ids = own.map(({ entryId }) => entryId).filter((entryId) => entryId.startsWith('SIGNAL:'));
        const newest = ids.sort().at(-1);
        return newest === undefined ? [] : [{ customerId, id: newest.slice('SIGNAL:'.length) }];
      }),
    closings: async (customerIds) =>
      rows.entries.filter(
        (row) =>
          customerIds.includes(row.customerId) &&
          row.kind === 'ERASURE' &&
          (JSON.parse(row.core ?? '{}') as { closing?: boolean }).closing === true,
      ),
    signals: async (customerId, indexes) =>
      copy(rows.signals.filter((row) => row.customerId === customerId && indexes.includes(row.index))),
    entries: async (customerId, indexes) =>
      copy(rows.entries.filter((row) => row.customerId === customerId && indexes.includes(row.index))),
    audits: async (customerId, wanted) => {
      const ids = new Set(wanted.map((one) => one.auditId));
      return rows.audits
        .filter((row) => row.customerId === customerId && ids.has(row.auditId) && row.rank >= COMPLETED_RANK)
        .map(({ version: _version, ...row }) => copy(row));
    },
    insert: async (table, inserted) => {
      (rows[table] as object[]).push(...copy(inserted));
    },
    final: () =>
      Object.fromEntries(
        (Object.keys(REPLACING) as TableName[]).map((table) => [table, winners(table, rows)]),
      ) as unknown as Rows,
    scrub: () => {
      rows.signals = withoutHidden('signals', rows, (row) => row.revision > 0);
      rows.entries = withoutHidden('entries', rows, (row) => row.revision > 0);
      rows.audits = withoutHidden('audits', rows, (row) => row.rank >= ERASED_RANK);
    },
  };
}

function winners<Table extends TableName>(table: Table, all: Rows): Rows[Table][number][] {
  const { key, version } = REPLACING[table];
  const best = new Map<string, Rows[Table][number]>();
  const seen = new Map<string, Rows[Table][number]>();
  for (const row of all[table]) {
    const name = JSON.stringify(key(row));
    const repeated = seen.get(`${name} ${version(row)}`);
    if (repeated !== undefined && !isDeepStrictEqual(repeated, row)) {
      throw new Error(`${table}: two rows differ\n${JSON.stringify(repeated)}\n${JSON.stringify(row)}`);
    }
    seen.set(`${name} ${version(row)}`, row);
    const known = best.get(name);
    if (known === undefined || version(row) > version(known)) best.set(name, row);
  }
  return [...best].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function withoutHidden<Table extends 'signals' | 'entries' | 'audits'>(
  table: Table,
  all: Rows,
  isTombstone: (row: Rows[Table][number]) => boolean,
): Rows[Table] {
  const { key, version } = REPLACING[table];
  const rows = all[table] as Rows[Table][number][];
  const tops = new Map<string, bigint>();
  for (const row of rows) {
    const name = JSON.stringify(key(row));
    if (isTombstone(row) && version(row) > (tops.get(name) ?? -1n)) tops.set(name, version(row));
  }
  return rows.filter((row) => version(row) >= (tops.get(JSON.stringify(key(row))) ?? 0n)) as Rows[Table];
}
