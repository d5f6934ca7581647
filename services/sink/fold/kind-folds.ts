import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { EntryFold, SignalFold } from './content-fold.ts';
import { ENTRY_FOLD } from './entry.ts';
import { ERASURE_FOLD } from './erasure.ts';
import { SIGNAL_FOLD } from './signal.ts';

/**
 * How each kind is folded, in all its versions, which also decides the table for its content. A kind whose fields are
 * to be queried one by one gets a fold, and a table, of its own.
 */
export const KIND_FOLDS: Readonly<Record<LedgerKind, SignalFold | EntryFold>> = {
  SIGNAL: SIGNAL_FOLD,
  ERASURE: ERASURE_FOLD,
  INCIDENT_EVENT: ENTRY_FOLD,
  POLICY_EVENT: ENTRY_FOLD,
  KEY_EVENT: ENTRY_FOLD,
  AUDITOR_ACCESS: ENTRY_FOLD,
  EVIDENCE_EVENT: ENTRY_FOLD,
};
