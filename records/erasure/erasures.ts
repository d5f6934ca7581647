import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import {
  API_KEYS,
  type Documents,
  SANDBOX_SLUGS,
  SESSIONS,
  type StoredDocument,
  SYSTEM_SCOPE,
} from '#platform/state/port.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { type ErasureCore, MAX_ERASURE_TARGETS } from '#schemas/ledger/erasure.v1.ts';
import { ERASED_KINDS } from '#schemas/vocabulary.ts';
import { ACTIVE_AUDITORS } from '../auditors/active-auditors.ts';
import { AUDITOR_CALLS } from '../auditors/auditor-calls.ts';
import { AUDITORS } from '../auditors/auditor-record.ts';
import type { Announce, EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { RECORD_USAGE } from '../changes/record-usage.ts';
import { CORRELATION_COLLECTIONS } from '../correlations/correlation-run.ts';
import { CORRELATION_SETTINGS } from '../correlations/settings-record.ts';
import { CUSTOMER_CHANGES, customerRef } from '../customers/customers.ts';
import {
  type CustomerRecord,
  LOST_DOCUMENTS,
  SANDBOX_COUNTS,
  SANDBOX_VERSIONS,
  SANDBOXES,
} from '../documents/records.ts';
import { ARCHIVED_VERSIONS, DELETED_SANDBOXES } from '../documents/sandbox-marks.ts';
import { INCIDENT_INDEXES } from '../incidents/incident-index.ts';
import { INCIDENT_CHANGES, INCIDENTS } from '../incidents/incident-record.ts';
import { PACKAGES } from '../packages/package-record.ts';
import { ENFORCEMENT_COLLECTIONS } from '../policies/enforcement-records.ts';
import { POLICY_COLLECTIONS } from '../policies/policy-record.ts';
import { LEGAL_HOLDS, readHolds } from '../retention/legal-holds.ts';
import { RETENTION_POLICIES } from '../retention/policy-record.ts';
import { RETENTION_RUNS } from '../retention/retention-run.ts';
import { SIGNAL_ERASURES } from '../retention/signal-erasure.ts';
import { freeEmails } from '../users/accounts.ts';
import { USERS } from '../users/user-record.ts';

/**
 * The erasure of a customer: a document with the next phase, so that any process can continue it after any crash. Every
 * step is idempotent. The phases, in their order:
 *
 * CLOSING: a closing ERASURE is in flight; every entry after it folds blank.
 * NAMING: ERASUREs name everything stored up to there, 5,000 entries each, one after the other.
 * REMOVING: the sink deletes the blanked rows, and the audits that have no entry, from the tables.
 * DESTROYING: the key that everything else is sealed under is destroyed.
 * CLEANING: the state's records are deleted, and what the state keeps on disk is rewritten.
 */
const ERASURE_PHASES = ['CLOSING', 'NAMING', 'REMOVING', 'DESTROYING', 'CLEANING'] as const;
export type ErasurePhase = (typeof ERASURE_PHASES)[number];

/** Document `ERASURES`, id = customer id, in the customer's own scope; gone when the erasure is complete. */
export interface ErasureProgress {
  /** Part of the ids of its ledger entries. */
  readonly id: string;
  readonly phase: ErasurePhase;
  readonly requestedAt: string;
  /** Entry id that has to be folded before the next step; null: none. */
  readonly awaited: string | null;
  /** Index of the closing ERASURE, once it is folded. */
  readonly closedAt: number | null;
  /** All indexes below this one are named by an ERASURE. */
  readonly namedBelow: number;
  /** ISO 8601. */
  readonly destroyedAt: string | null;
}

export const ERASURES = 'customerErasures';
/** One small document per erasure in the system's scope: the work list. */
export const OPEN_ERASURES = 'openErasures';

/** Collections with what a customer has given us. */
export const CLEANED: readonly string[] = [
  API_KEYS,
  SANDBOXES,
  SANDBOX_VERSIONS,
  SANDBOX_SLUGS,
  SANDBOX_COUNTS,
  CUSTOMER_CHANGES,
  LOST_DOCUMENTS,
  DELETED_SANDBOXES,
  ARCHIVED_VERSIONS,
  RECORD_USAGE,
  INCIDENTS,
  INCIDENT_CHANGES,
  ...INCIDENT_INDEXES,
  AUDITORS,
  ACTIVE_AUDITORS,
  AUDITOR_CALLS,
  SIGNAL_ERASURES,
  ...POLICY_COLLECTIONS,
  ...ENFORCEMENT_COLLECTIONS,
  RETENTION_POLICIES,
  LEGAL_HOLDS,
  RETENTION_RUNS,
  PACKAGES,
  ...CORRELATION_COLLECTIONS,
  CORRELATION_SETTINGS,
  SESSIONS,
  USERS,
];
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
 * Begins the erasure of a customer, or finds the one that was begun: keys are refused from this moment on. Null: no
 * such customer; 'HELD': a legal hold forbids it. `id`, `at` (ISO 8601): of the erasure. `despiteHolds`: the ledger says
 * that it was begun before.
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
      // The work list first: an erasure that is not in it would never be continued.
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
      const begun = { collection: ERASURES, id: customerId, expectedVersion: 0, value: progress, entries };
      return { value: record, others: [begun, compared], result: record };
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

/** Deletes what the customer has given us, except the record itself, whose name is blanked. */
export async function cleanRecords(documents: Documents, customerId: string): Promise<void> {
  // Before its users go, which name them.
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

/** The erasure's document in the work list. */
export const erasureListed = (documents: Documents, customerId: string): Promise<StoredDocument | null> =>
  documents.get({ scope: SYSTEM_SCOPE, collection: OPEN_ERASURES, id: customerId });

/**
 * Removes an erasure that was never begun from the work list, unless it was requested again since `listed` was read.
 */
export async function forgetUnbegun(
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

/** All kinds that are emitted, the whole content. It contains nobody's name. */
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
