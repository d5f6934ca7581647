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

/** Document `RETENTION_RUNS`, id = customer id: the run that goes on or ended last, so that any process carries it on. */
export interface RetentionRun {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The last request of a run when it began, which it answers; absent in runs of an earlier release. */
  readonly requestedAt?: string | null;
  readonly finishedAt: string | null;
  readonly batches: number;
  /** Entry id of the batch that has to be folded before the next one. */
  readonly awaited: string | null;
  /** Everything before it was looked at. */
  readonly place: RunPlace | null;
  readonly erased: number;
  readonly anonymized: number;
  /** Signals whose time is over, and that an open incident keeps. */
  readonly held: number;
  /** The run before this one that ended. */
  readonly last: EndedRun | null;
}
export const RETENTION_RUNS = 'retentionRuns';
/** From the beginning of a run to that of the next one. */
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

/** In the system's scope, id `all`: when somebody asked for a run of all customers. */
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

/** Asks for a run of every customer that has policies; resolves to their number. `at`: ISO 8601. */
export async function requestRuns(documents: Documents, at: string): Promise<number> {
  await documents.write(SYSTEM_SCOPE, [{ collection: RETENTION_REQUESTS, id: ALL, value: { at } }]);
  return (await retentionCustomers(documents)).length;
}

/** When a run of all customers was asked for last, ISO 8601. */
export async function runsRequestedAt(documents: Pick<Documents, 'get'>): Promise<string | null> {
  const ref = { scope: SYSTEM_SCOPE, collection: RETENTION_REQUESTS, id: ALL };
  return (await documents.get<{ readonly at: string }>(ref))?.value.at ?? null;
}

/** Customers that ever made a policy and are not erased. */
export const retentionCustomers = (documents: Pick<Documents, 'ids'>): Promise<string[]> =>
  documents.ids(SYSTEM_SCOPE, RETENTION_CUSTOMERS);

/** For a customer that is erased. */
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
 * Whether a run was asked for that the last one does not answer. By the request itself and not by its time: it comes from
 * another process's clock, and where that is ahead, or clocks were set back, each run would begin before what it answers.
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
  /** Of the signals whose time is over; at most as many as one ERASURE names. */
  readonly indexes: readonly number[];
  readonly held: number;
  readonly place: RunPlace;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Notes a batch with its ERASURE in one write, which compares what the batch was chosen under: holds and incidents. False:
 * another process was faster, or some of that has changed.
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

/** The batch is folded. */
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
