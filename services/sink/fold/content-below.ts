import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { AuditRow, EntryRow, SignalRow } from '#schemas/tables/tables.ts';

/** A row of the audit list as it is read: without its version, which exceeds the exact range of a number. */
export type StoredAudit = Omit<AuditRow, 'version'>;

/** Rows that a batch's ERASUREs may have to blank: all stored rows of the targets, of every revision. */
export interface StoredTargets {
  readonly signals: readonly SignalRow[];
  readonly entries: readonly EntryRow[];
  /** Completed and erased rows of the signals' audits. */
  readonly audits: readonly StoredAudit[];
}

export const NO_TARGETS: StoredTargets = { signals: [], entries: [], audits: [] };

/** Content by customer and index: stored rows and the batch's own. */
export interface ContentBelow {
  addSignal(row: SignalRow): void;
  addEntry(row: EntryRow): void;
  addAudit(row: StoredAudit): void;
  /** All revisions of the signal or entry at an index; empty when it is not known. */
  signalsAt(customerId: string, index: number): readonly SignalRow[];
  entriesAt(customerId: string, index: number): readonly EntryRow[];
  auditsOf(customerId: string, auditId: string): readonly StoredAudit[];
}

export function contentBelow(stored: StoredTargets): ContentBelow {
  const signals = new Map<string, SignalRow[]>();
  const entries = new Map<string, EntryRow[]>();
  const audits = new Map<string, StoredAudit[]>();
  const keyOf = (customerId: string, rest: string | number): string => `${rest} ${customerId}`;
  const add = <Row>(rows: Map<string, Row[]>, key: string, row: Row): void => {
    const known = rows.get(key);
    if (known === undefined) rows.set(key, [row]);
    else known.push(row);
  };
  const below: ContentBelow = {
    addSignal: (row) => add(signals, keyOf(row.customerId, row.index), row),
    addEntry: (row) => add(entries, keyOf(row.customerId, row.index), row),
    addAudit: (row) => add(audits, keyOf(row.customerId, row.auditId), row),
    signalsAt: (customerId, index) => signals.get(keyOf(customerId, index)) ?? [],
    entriesAt: (customerId, index) => entries.get(keyOf(customerId, index)) ?? [],
    auditsOf: (customerId, auditId) => audits.get(keyOf(customerId, auditId)) ?? [],
  };
  for (const row of stored.signals) below.addSignal(row);
  for (const row of stored.entries) below.addEntry(row);
  for (const row of stored.audits) below.addAudit(row);
  return below;
}

/** Distinct indexes that an ERASURE names, ascending. At most 5,000, because its columns were checked. */
export function targetsOf(core: Pick<ErasureCore, 'ranges'>): number[] {
  const indexes = new Set<number>();
  for (const [from, to] of core.ranges) for (let index = from; index <= to; index += 1) indexes.add(index);
  return [...indexes].sort((a, b) => a - b);
}
