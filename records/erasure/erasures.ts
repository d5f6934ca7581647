import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Documents, type StoredDocument, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { type ErasureCore, MAX_ERASURE_TARGETS } from '#schemas/ledger/erasure.v1.ts';
import { ERASED_KINDS } from '#schemas/vocabulary.ts';
import type { Announce, EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerRef } from '../customers/customers.ts';
import { readHolds } from '../retention/legal-holds.ts';
import { freeEmails } from '../users/accounts.ts';
import { COLLECTIONS } from './collections.ts';
import { ERASURES, type ErasureProgress, OPEN_ERASURES } from './erasure-record.ts';

const CLEANED = COLLECTIONS.filter(({ erasure }) => erasure.by === 'DELETION').map(({ name }) => name);
const DOCUMENTS_PER_WRITE = 200;

export interface ErasureDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

interface ErasureRequest {
  readonly customerId: string;
  readonly id: string;
  readonly at: string;
  readonly despiteHolds?: boolean;
}

const erasureRef = (customerId: string) => ({ scope: customerId, collection: ERASURES, id: customerId });

/**
 * Starts the erasure of a customer, or returns the one already started: keys are refused from this moment. null: no
 * such customer; 'HELD': a legal hold forbids it. `id`, `at` (ISO 8601): of the erasure. `despiteHolds`: the ledger
 * says that the erasure had already started.
 */
export function requestErasure(
  dependencies: ErasureDependencies,
  { customerId, id, at, despiteHolds = false }: ErasureRequest,
): Promise<CustomerRecord | null | 'HELD'> {
  const { documents, makeEntry } = dependencies;
  return changeDocument<CustomerRecord, CustomerRecord | null | 'HELD'>(
    dependencies,
    customerRef(customerId),
    async (stored) => {
      if (stored === null || stored.value.erasure?.status === 'COMPLETED')
        return unchanged(stored?.value ?? null);
      const { holds, compared } = await readHolds(documents, customerId);
      const isHeld = holds.length > 0 && !despiteHolds;
      if (isHeld && stored.value.erasure === undefined) return unchanged('HELD');
      // Written first: an erasure that is not in the work list would never continue.
      await documents.write(SYSTEM_SCOPE, [{ collection: OPEN_ERASURES, id: customerId, value: { at } }]);
      if (stored.value.erasure !== undefined) return unchanged(stored.value);
      const closing = closingEvent(customerId, id, at);
      const record: CustomerRecord = {
        ...stored.value,
        active: false,
        erasure: { status: 'IN_PROGRESS', requestedAt: at },
      };
      const progress: ErasureProgress = {
        id,
        phase: 'CLOSING',
        requestedAt: at,
        awaited: entryIdOf(closing.kind, closing.id),
        closedAt: null,
        namedBelow: 0,
        destroyedAt: null,
      };
      const entries = [await makeEntry(closing)];
      const started = { collection: ERASURES, id: customerId, expectedVersion: 0, value: progress, entries };
      return { value: record, others: [started, compared], result: record };
    },
  );
}

/** Customers whose erasure may be incomplete. */
export async function openErasures(documents: Documents): Promise<string[]> {
  return (await documents.list(SYSTEM_SCOPE, OPEN_ERASURES)).map(({ id }) => id);
}

export const erasureProgress = (
  documents: Documents,
  customerId: string,
): Promise<StoredDocument<ErasureProgress> | null> => documents.get(erasureRef(customerId));

/** Writes the next phase. False: another process was faster. */
export async function advanceErasure(
  documents: Documents,
  customerId: string,
  stored: StoredDocument<ErasureProgress>,
  change: Partial<ErasureProgress>,
): Promise<boolean> {
  const value = { ...stored.value, ...change };
  const { id } = erasureRef(customerId);
  const outcome = await documents.write(customerId, [
    { collection: ERASURES, id, expectedVersion: stored.version, value },
  ]);
  return outcome.ok;
}

/** Appends the ERASURE of the next entries, `namedBelow` to `closedAt`. False: another process was faster. */
export async function nameNextEntries(
  { documents, makeEntry, announce }: ErasureDependencies,
  customerId: string,
  stored: StoredDocument<ErasureProgress>,
  at: string,
): Promise<boolean> {
  const { id, namedBelow: from, closedAt } = stored.value;
  const to = Math.min(from + MAX_ERASURE_TARGETS - 1, closedAt ?? -1);
  const event = erasureEvent(customerId, `${id}:${from}-${to}`, at, { ranges: [[from, to]] });
  const entry = await makeEntry(event);
  const value: ErasureProgress = { ...stored.value, awaited: entry.entryId, namedBelow: to + 1 };
  const outcome = await documents.write(customerId, [
    { collection: ERASURES, id: customerId, expectedVersion: stored.version, value, entries: [entry] },
  ]);
  if (outcome.ok) announce(erasureRef(customerId));
  return outcome.ok;
}

/** Deletes the customer's data as its collections declare; the customer's record stays, without its name. */
export async function cleanRecords(documents: Documents, customerId: string): Promise<void> {
  // Before its users are deleted: they name the emails.
  await freeEmails(documents, customerId);
  for (const collection of CLEANED) {
    const ids = await documents.ids(customerId, collection);
    for (let from = 0; from < ids.length; from += DOCUMENTS_PER_WRITE) {
      const some = ids.slice(from, from + DOCUMENTS_PER_WRITE);
      await documents.write(
        customerId,
        some.map((id) => ({ collection, id, value: null })),
      );
    }
  }
  await changeRecord(documents, customerId, (record) => ({ ...record, name: '' }));
}

/** `at`: ISO 8601. */
export async function completeErasure(documents: Documents, customerId: string, at: string): Promise<void> {
  await changeRecord(documents, customerId, (record) => {
    const requestedAt = record.erasure?.requestedAt ?? at;
    return { ...record, erasure: { status: 'COMPLETED', requestedAt, completedAt: at } };
  });
  await documents.write(customerId, [{ collection: ERASURES, id: customerId, value: null }]);
  await forgetErasure(documents, customerId);
}

/** Removes a completed erasure from the work list. */
export async function forgetErasure(documents: Documents, customerId: string): Promise<void> {
  await documents.write(SYSTEM_SCOPE, [{ collection: OPEN_ERASURES, id: customerId, value: null }]);
}

/** The erasure's document in the work list, if there is one. */
export const erasureListed = (documents: Documents, customerId: string): Promise<StoredDocument | null> =>
  documents.get({ scope: SYSTEM_SCOPE, collection: OPEN_ERASURES, id: customerId });

/** Removes an erasure that never started from the work list, unless it was requested again since `listed` was read. */
export async function forgetUnstarted(
  documents: Documents,
  customerId: string,
  listed: StoredDocument,
): Promise<void> {
  await documents.write(SYSTEM_SCOPE, [
    { collection: OPEN_ERASURES, id: customerId, expectedVersion: listed.version, value: null },
  ]);
}

const changeRecord = (
  documents: Documents,
  customerId: string,
  change: (record: CustomerRecord) => CustomerRecord,
): Promise<void> =>
  changeDocument<CustomerRecord>({ documents }, customerRef(customerId), (stored) =>
    stored === null ? unchanged(undefined) : { value: change(stored.value), result: undefined },
  );

/** Closes a customer. `id`, `at` (ISO 8601): of the erasure. */
export const closingEvent = (customerId: string, id: string, at: string): LedgerEvent =>
  erasureEvent(customerId, `${id}:closing`, at, { closing: true });

/** All emitted kinds, with their whole content. Contains no names. */
function erasureEvent(
  customerId: string,
  id: string,
  at: string,
  { ranges = [], closing = false }: Partial<Pick<ErasureCore, 'ranges' | 'closing'>>,
): LedgerEvent {
  const core: ErasureCore = {
    ranges,
    kinds: [...ERASED_KINDS],
    scope: 'ALL',
    reason: 'CUSTOMER_ERASED',
    basis: null,
    policyId: null,
    closing,
  };
  return { kind: 'ERASURE', id, customerId, at, core, detail: { actor: 'platform' } };
}
