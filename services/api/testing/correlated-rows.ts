import { type Draft, entriesOf } from '#core/correlate/testing/ledger.ts';
import { sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';

/** Nothing checks the hashes here. */
const SAMPLE = storedRows([sampleDraft(0, 'SIGNAL')]).signals[0]!;

const iso = (at: number): string => new Date(at).toISOString();
const idOf = (index: number): string => `0190cccc-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

/** Signals made from drafts, in ledger order, with ids like those of audits. */
export const signalsOf = (drafts: readonly Draft[]) =>
  entriesOf(drafts).map(({ kind: _, ...signal }) => ({ ...signal, id: idOf(signal.index) }));
export type StoredSignal = ReturnType<typeof signalsOf>[number];

/** The rows that the sink would have stored for them, with the columns that patterns read. */
export const rowsOf = (customerId: string, signals: readonly StoredSignal[]): SignalRow[] =>
  signals.map(({ id, createdAt, acceptedAt, violations, ...rest }) => ({
    ...SAMPLE,
    ...rest,
    customerId,
    auditId: id,
    createdAt: iso(createdAt),
    acceptedAt: iso(acceptedAt),
    violations: [...violations],
  }));
