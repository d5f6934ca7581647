import type { EntryRow, SignalRow } from '#schemas/tables/tables.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

const byIndex = (one: { index: number }, other: { index: number }): number => one.index - other.index;
const isSettings = ({ kind, id }: EntryRow): boolean => kind === 'POLICY_EVENT' && id.startsWith('settings:');

const signalsOf = (store: MemoryStore, customerId: unknown): SignalRow[] =>
  store
    .final()
    .signals.filter((row) => row.customerId === customerId && row.erased !== 'ALL')
    .sort(byIndex);
const entriesOf = (store: MemoryStore, customerId: unknown): EntryRow[] =>
  store
    .final()
    .entries.filter((row) => row.customerId === customerId)
    .sort(byIndex);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Statements of the fold into patterns (`platform/warehouse/queries/evidence/correlat*.ts`). */
export const PATTERN_STATEMENTS: readonly Statement[] = [
  [
    /FROM correlation_snapshots FINAL/,
    (store, { customerIds }) =>
      store
        .final()
        .correlation_snapshots.filter(({ customerId }) =>
          (customerIds as readonly string[]).includes(customerId),
        ),
  ],
  [
    /SELECT `index`, auditId AS id, toUnixTimestamp64Milli/,
    (store, { customerId, from, below, limit }) =>
      signalsOf(store, customerId)
        .filter(({ index }) => index >= Number(from) && index < Number(below))
        .slice(0, Number(limit))
        .map(({ auditId, createdAt, acceptedAt, ...row }) => ({
          ...row,
          id: auditId,
          createdAt: Date.parse(createdAt),
          acceptedAt: Date.parse(acceptedAt),
        })),
  ],
  [
    /SELECT `index`, kind, core FROM entries FINAL[\s\S]*kind = 'ERASURE'/,
    (store, { customerId, from, below }) =>
      entriesOf(store, customerId).filter(
        (row) =>
          row.index >= Number(from) &&
          row.index < Number(below) &&
          (row.kind === 'ERASURE' || isSettings(row)),
      ),
  ],
  [
    /SELECT `index`, kind, core FROM entries FINAL/,
    (store, { customerId, below }) =>
      entriesOf(store, customerId)
        .filter((row) => row.index < Number(below) && isSettings(row))
        .slice(-1),
  ],
  [
    /groupArray\(\(hour, count\)\)/,
    (store, { customerId, from, to, below }) =>
      signalsOf(store, customerId)
        .filter(({ index }) => index < Number(below))
        .map((row) => ({ ...row, at: Date.parse(row.createdAt) }))
        .filter(({ at }) => at >= (from as Date).getTime() && at <= (to as Date).getTime())
        .map(({ at, ...row }) => ({ ...row, hours: [Math.floor(at / HOUR_MS)], counts: [1] })),
  ],
  [
    /arrayJoin\(arrayDistinct\(violations\)\) AS code/,
    (store, { customerId, from, to, below }) =>
      signalsOf(store, customerId)
        .filter(({ index }) => index < Number(below))
        .map(({ createdAt, ...row }) => ({ ...row, at: Date.parse(createdAt) }))
        .filter(({ at }) => at >= (from as Date).getTime() && at <= (to as Date).getTime())
        .flatMap(({ at, violations, fingerprint }) =>
          fingerprint === null
            ? []
            : [...new Set(violations)].map((code) => ({
                day: at - (at % DAY_MS),
                code,
                shape: Number.parseInt(fingerprint.slice(0, 2), 16) >> 2,
                count: 1,
              })),
        ),
  ],
];
