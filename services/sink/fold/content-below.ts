import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { AuditRow, EntryRow, SignalRow } from '#schemas/tables/tables.ts';

/** A row of the audit list as read: without its version, which exceeds the safe integer range. */
export type StoredAudit = Omit<AuditRow, 'version'>;

/** Rows that a batch's ERASUREs may have to blank: all stored rows of the targets, in every revision. */
export interface StoredTargets {
  readonly signals: readonly SignalRow[];
  readonly entries: readonly EntryRow[];
  /** Completed and erased rows of the signals' audits. */
  readonly audits: readonly StoredAudit[];
}

export const NO_TARGETS: StoredTargets = { signals: [], entries: [], audits: [] };

/** Content by customer and index: stored rows and the batch's own. */
export class ContentBelow {
  readonly #signals = new Map<string, SignalRow[]>();
  readonly #entries = new Map<string, EntryRow[]>();
  readonly #audits = new Map<string, StoredAudit[]>();

  constructor(stored: StoredTargets) {
    for (const row of stored.signals) this.addSignal(row);
    for (const row of stored.entries) this.addEntry(row);
    for (const row of stored.audits) this.addAudit(row);
  }

  addSignal(row: SignalRow): void {
    add(this.#signals, keyOf(row.customerId, row.index), row);
  }

  addEntry(row: EntryRow): void {
    add(this.#entries, keyOf(row.customerId, row.index), row);
  }

  addAudit(row: StoredAudit): void {
    add(this.#audits, keyOf(row.customerId, row.auditId), row);
  }

  /** All revisions of the signal at an index; empty when it is not known. */
  signalsAt(customerId: string, index: number): readonly SignalRow[] {
    return this.#signals.get(keyOf(customerId, index)) ?? [];
  }

  /** All revisions of the entry at an index; empty when it is not known. */
  entriesAt(customerId: string, index: number): readonly EntryRow[] {
    return this.#entries.get(keyOf(customerId, index)) ?? [];
  }

  auditsOf(customerId: string, auditId: string): readonly StoredAudit[] {
    return this.#audits.get(keyOf(customerId, auditId)) ?? [];
  }
}

const keyOf = (customerId: string, rest: string | number): string => `${rest} ${customerId}`;

function add<Row>(rows: Map<string, Row[]>, key: string, row: Row): void {
  const known = rows.get(key);
  if (known === undefined) rows.set(key, [row]);
  else known.push(row);
}

/** Distinct indexes named by an ERASURE, ascending: at most 5,000, because its columns were checked. */
export function targetsOf(core: Pick<ErasureCore, 'ranges'>): number[] {
  const indexes = new Set<number>();
  for (const [from, to] of core.ranges) for (let index = from; index <= to; index += 1) indexes.add(index);
  return [...indexes].sort((a, b) => a - b);
}
