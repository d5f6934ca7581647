import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { auditErasureId } from '#schemas/ledger/erased-audit.ts';
import type { ErasureReason } from '#schemas/vocabulary.ts';
import type { Announce, EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { OPEN_INCIDENT } from '../incidents/incident-index.ts';

/**
 * Document `SIGNAL_ERASURES`, id = audit id: the signal is being erased. While it exists the audit is not replayed or
 * erased again; it is removed some time after its entry has been folded, when the tables show the same.
 */
export interface SignalErasure {
  /** ISO 8601. */
  readonly at: string;
  readonly reason: ErasureReason;
}
export const SIGNAL_ERASURES = 'signalErasures';
export const SIGNAL_ERASURE_COLLECTIONS: readonly Collection[] = [
  customerCollection(SIGNAL_ERASURES, DELETED),
];

/** Erasures of a customer that are not folded yet, or were folded recently. */
export const MAX_OPEN_ERASURES = 1_000;

export const erasureEntryId = (auditId: string): string => entryIdOf('ERASURE', auditErasureId(auditId));

const refOf = (customerId: string, auditId: string) => ({
  scope: customerId,
  collection: SIGNAL_ERASURES,
  id: auditId,
});

export const signalErasure = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
  auditId: string,
): Promise<StoredDocument<SignalErasure> | null> => documents.get<SignalErasure>(refOf(customerId, auditId));

interface NewSignalErasure extends SignalErasure {
  readonly customerId: string;
  readonly auditId: string;
  /** Index of the signal's entry; null: the audit failed, and has none. */
  readonly index: number | null;
  /** Headers of the entry's record, for a failed audit. */
  readonly headers: Readonly<Record<string, string>>;
  /** The user who requested it; personal. */
  readonly actor: string;
}

/** `ERASED`: already being erased. `CHANGED`: what was read has changed; decide again. */
type BegunErasure = 'BEGUN' | 'ERASED' | 'CHANGED';

/**
 * Starts the erasure of a signal: one write adds its ledger entry and forbids its replay, unless an incident of the
 * signal was opened before. `unless`: further documents that must not have changed since they were read.
 */
export async function startSignalErasure(
  { documents, makeEntry, announce }: Dependencies,
  erasure: NewSignalErasure,
  unless: readonly DocumentWrite[],
): Promise<BegunErasure> {
  const { customerId, auditId, at, reason } = erasure;
  const entries = [await makeEntry(erasureEvent(erasure), erasure.headers)];
  const outcome = await documents.write(customerId, [
    { collection: SIGNAL_ERASURES, id: auditId, expectedVersion: 0, value: { at, reason }, entries },
    ...unless,
  ]);
  if (outcome.ok) {
    announce(refOf(customerId, auditId));
    return 'BEGUN';
  }
  const isOwn = 'conflict' in outcome && outcome.conflict.collection === SIGNAL_ERASURES;
  return isOwn ? 'ERASED' : 'CHANGED';
}

/** For `unless`: the signal has no open incident. */
export const noOpenIncident = (auditId: string): DocumentWrite => ({
  collection: OPEN_INCIDENT,
  id: auditId,
  expectedVersion: 0,
  value: null,
  unchanged: true,
});

interface Dependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

function erasureEvent({ customerId, auditId, at, reason, index, actor }: NewSignalErasure): LedgerEvent {
  return {
    kind: 'ERASURE',
    id: auditErasureId(auditId),
    customerId,
    at,
    core: {
      ranges: index === null ? [] : [[index, index]],
      kinds: ['SIGNAL'],
      scope: 'ALL',
      reason,
      basis: null,
      policyId: null,
      closing: false,
    },
    detail: { actor },
  };
}

/** Removes the documents of erasures that the tables already show. */
export async function forgetSignalErasures(
  documents: Documents,
  customerId: string,
  auditIds: readonly string[],
): Promise<void> {
  if (auditIds.length === 0) return;
  await documents.write(
    customerId,
    auditIds.map((id) => ({ collection: SIGNAL_ERASURES, id, value: null })),
  );
}
