import type { MemoryStore } from '#services/sink/testing/memory-store.ts';

interface Revised {
  readonly customerId: string;
  readonly index: number;
  readonly revision: number;
}

/** A customer's rows as FINAL returns them, in index order: cheaper for one customer than `final()` of all tables. */
function newest<Row extends Revised>(rows: readonly Row[], customerId: unknown): Row[] {
  const best = new Map<number, Row>();
  for (const row of rows) {
    if (row.customerId !== customerId) continue;
    const known = best.get(row.index);
    if (known === undefined || row.revision > known.revision) best.set(row.index, row);
  }
  return [...best.values()].sort((one, other) => one.index - other.index);
}

export const newestSignals = ({ rows }: Pick<MemoryStore, 'rows'>, customerId: unknown) =>
  newest(rows.signals, customerId);
export const newestEntries = ({ rows }: Pick<MemoryStore, 'rows'>, customerId: unknown) =>
  newest(rows.entries, customerId);
/** Ledger rows of the customer's entries; identical copies of a row count once. */
export const ledgerOf = ({ rows }: Pick<MemoryStore, 'rows'>, customerId: unknown) =>
  newest(
    rows.ledger.map((row) => ({ ...row, revision: 0 })),
    customerId,
  ).map(({ revision: _, ...row }) => row);
