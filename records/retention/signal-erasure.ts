import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { auditErasureId } from '#schemas/ledger/erased-audit.ts';
import type { ErasureReason } from '#schemas/vocabulary.ts';
import type { Announce, EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { OPEN_INCIDENT } from '../incidents/incident-index.ts';

/**
 * Document `SIGNAL_ERASURES`, id = audit id: the signal is being erased. While it is there the audit is not replayed and
 * not erased a second time; it goes some time after its entry is folded, when the tables say the same.
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

/** Erasures of a customer that are not folded, or were not long ago. */
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
  /** Of the signal's entry; null: the audit failed, and has none. */
  readonly index: number | null;
  /** Headers of the entry's record: those of an audit that failed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who asked for it; personal. */
  readonly actor: string;
}

/** `ERASED`: it is being erased already. `CHANGED`: what was read before is no longer so; decide again. */
type BegunErasure = 'BEGUN' | 'ERASED' | 'CHANGED';

/**
 * Begins the erasure of a signal: its entry is noted for the ledger in the write that forbids its replay, unless an
 * incident of the signal was opened before. `unless`: further documents that must be as they were read.
 */
export async function beginSignalErasure(
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

/** For `unless`: the signal has no incident that has not ended. */
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

/** Removes the documents of erasures that the tables show. */
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
