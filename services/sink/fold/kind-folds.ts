import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { EntryFold, SignalFold } from './content-fold.ts';
import { ENTRY_FOLD } from './entry.ts';
import { ERASURE_FOLD } from './erasure.ts';
import { SIGNAL_FOLD } from './signal.ts';

/**
 * How each kind is folded, in all its versions, and in which table its content is stored. A kind whose fields are
 * queried individually gets its own fold and table.
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
