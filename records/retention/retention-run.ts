import type { RetentionRule } from '#core/evidence/retention/policies.ts';
import { compressedRanges } from '#core/evidence/retention/ranges.ts';
import {
  type Collection,
  customerCollection,
  DELETED,
  kept,
  systemCollection,
} from '#platform/state/collection.ts';
import {
  type Documents,
  type DocumentWrite,
  type StoredDocument,
  SYSTEM_SCOPE,
} from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import { RETENTION_CUSTOMERS } from './change-policy.ts';

/** Document `RETENTION_RUNS`, id = customer id: the current or last run, so that any process can continue it. */
export interface RetentionRun {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The last request before the run started, which it satisfies; absent in runs of an earlier release. */
  readonly requestedAt?: string | null;
  readonly finishedAt: string | null;
  readonly batches: number;
  /** Entry id of the batch that must be folded before the next one. */
  readonly awaited: string | null;
  /** Everything before it has been processed. */
  readonly place: RunPlace | null;
  readonly erased: number;
  readonly anonymized: number;
  /** Expired signals kept by an open incident. */
  readonly held: number;
  /** The last run that ended before this one. */
  readonly last: EndedRun | null;
}
export const RETENTION_RUNS = 'retentionRuns';
/** Interval between the starts of two runs. */
export const RUN_EVERY_MS = 86_400_000;

interface RunPlace {
  /** Name of the part of the work, in order. */
  readonly part: string;
  /** Unix ms. */
  readonly createdAt: number;
  readonly auditId: string;
}

interface EndedRun {
  readonly id: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly erased: number;
  readonly anonymized: number;
  readonly held: number;
}

const runRef = (customerId: string) => ({ scope: customerId, collection: RETENTION_RUNS, id: customerId });

/** In the system's scope, id `all`: when a run of all customers was last requested. */
const RETENTION_REQUESTS = 'retentionRequests';
const ALL = 'all';
export const RETENTION_RUN_COLLECTIONS: readonly Collection[] = [
  customerCollection(RETENTION_RUNS, DELETED),
  systemCollection(RETENTION_REQUESTS, kept('a time, and nothing of a customer')),
];

interface Dependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

export const storedRun = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<RetentionRun> | null> => documents.get<RetentionRun>(runRef(customerId));

/** Requests a run for every customer with policies; resolves to their number. `at`: ISO 8601. */
export async function requestRuns(documents: Documents, at: string): Promise<number> {
  await documents.write(SYSTEM_SCOPE, [{ collection: RETENTION_REQUESTS, id: ALL, value: { at } }]);
  return (await retentionCustomers(documents)).length;
}

/** When a run of all customers was last requested, ISO 8601. */
export async function runsRequestedAt(documents: Pick<Documents, 'get'>): Promise<string | null> {
  const ref = { scope: SYSTEM_SCOPE, collection: RETENTION_REQUESTS, id: ALL };
  return (await documents.get<{ readonly at: string }>(ref))?.value.at ?? null;
}

/** Customers that ever created a policy and have not been erased. */
export const retentionCustomers = (documents: Pick<Documents, 'ids'>): Promise<string[]> =>
  documents.ids(SYSTEM_SCOPE, RETENTION_CUSTOMERS);

/** For an erased customer. */
export async function forgetRetention(documents: Documents, customerId: string): Promise<void> {
  await documents.write(SYSTEM_SCOPE, [{ collection: RETENTION_CUSTOMERS, id: customerId, value: null }]);
  await documents.write(customerId, [{ collection: RETENTION_RUNS, id: customerId, value: null }]);
}

/** The run that ended last. */
export const endedRun = (run: RetentionRun): EndedRun | null => {
  const { id, startedAt, finishedAt, erased, anonymized, held } = run;
  return finishedAt === null ? run.last : { id, startedAt, finishedAt, erased, anonymized, held };
};

/**
 * Whether a run was requested that the last one does not satisfy. Compares the request itself rather than its time,
 * which comes from another process's clock: if that is ahead, or clocks were set back, each run would seem to start
 * before its request.
 */
export const isRunAsked = (run: RetentionRun | null, requestedAt: string | null): boolean =>
  requestedAt !== null &&
  (run === null ||
    (run.requestedAt === undefined ? requestedAt > run.startedAt : requestedAt !== run.requestedAt));

/** False: another process was faster. */
export async function startRun(
  documents: Documents,
  customerId: string,
  stored: StoredDocument<RetentionRun> | null,
  { id, at, requestedAt }: { readonly id: string; readonly at: string; readonly requestedAt: string | null },
): Promise<boolean> {
  const value: RetentionRun = {
    id,
    startedAt: at,
    requestedAt,
    finishedAt: null,
    batches: 0,
    awaited: null,
    place: null,
    erased: 0,
    anonymized: 0,
    held: 0,
    last: stored === null ? null : endedRun(stored.value),
  };
  return write(documents, customerId, stored?.version ?? 0, value);
}

interface RunBatch {
  readonly policy: Pick<RetentionRule, 'id' | 'action'>;
  /** Indexes of expired signals; at most as many as one ERASURE names. */
  readonly indexes: readonly number[];
  readonly held: number;
  readonly place: RunPlace;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Records a batch and its ERASURE in one write, which checks that holds and incidents are still as they were when the
 * batch was chosen. False: another process was faster, or some of them have changed.
 */
export async function noteBatch(
  { documents, makeEntry, announce }: Dependencies,
  customerId: string,
  { value: run, version }: StoredDocument<RetentionRun>,
  { policy, indexes, held, place, at }: RunBatch,
  compared: readonly DocumentWrite[],
): Promise<boolean> {
  if (indexes.length === 0)
    return write(documents, customerId, version, { ...run, place, held: run.held + held });
  const isDelete = policy.action === 'DELETE';
  const entry = await makeEntry({
    kind: 'ERASURE',
    id: `retention:${run.id}:${run.batches}`,
    customerId,
    at,
    core: {
      ranges: compressedRanges(indexes),
      kinds: ['SIGNAL'],
      scope: isDelete ? 'ALL' : 'DETAIL',
      reason: 'RETENTION',
      basis: null,
      policyId: policy.id,
      closing: false,
    },
    detail: { actor: 'system' },
  });
  const value: RetentionRun = {
    ...run,
    place,
    batches: run.batches + 1,
    awaited: entry.entryId,
    erased: run.erased + (isDelete ? indexes.length : 0),
    anonymized: run.anonymized + (isDelete ? 0 : indexes.length),
    held: run.held + held,
  };
  const outcome = await documents.write(customerId, [
    { ...ownWrite(customerId, version, value), entries: [entry] },
    ...compared,
  ]);
  if (outcome.ok) announce(runRef(customerId));
  return outcome.ok;
}

/** Records that the batch has been folded. */
export const batchFolded = (
  documents: Documents,
  customerId: string,
  { value, version }: StoredDocument<RetentionRun>,
): Promise<boolean> => write(documents, customerId, version, { ...value, awaited: null });

/** Ends the run with its entry in the ledger. `at`: ISO 8601. */
export async function finishRun(
  { documents, makeEntry, announce }: Dependencies,
  customerId: string,
  { value: run, version }: StoredDocument<RetentionRun>,
  at: string,
): Promise<boolean> {
  const { id: runId, startedAt, erased, anonymized, held } = run;
  const entry = await makeEntry({
    kind: 'EVIDENCE_EVENT',
    id: `retention-run:${runId}`,
    customerId,
    at,
    core: { type: 'RETENTION_RUN', runId, startedAt, erased, anonymized, held },
    detail: { actor: 'system' },
  });
  const value = { ...run, finishedAt: at };
  const outcome = await documents.write(customerId, [
    { ...ownWrite(customerId, version, value), entries: [entry] },
  ]);
  if (outcome.ok) announce(runRef(customerId));
  return outcome.ok;
}

const ownWrite = (customerId: string, expectedVersion: number, value: RetentionRun): DocumentWrite => ({
  collection: RETENTION_RUNS,
  id: customerId,
  expectedVersion,
  value,
});

async function write(
  documents: Documents,
  customerId: string,
  expectedVersion: number,
  value: RetentionRun,
): Promise<boolean> {
  return (await documents.write(customerId, [ownWrite(customerId, expectedVersion, value)])).ok;
}
