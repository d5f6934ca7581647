import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { DocumentRef, Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';

/**
 * Document `RECORD_USAGE`, id = customer id: how much of the state the customer's records use. Every write that makes
 * or changes a record writes it too, conditional on the version that was read, so that the numbers are exact however
 * many concurrent changes there are, from any number of processes.
 */
export const RECORD_USAGE = 'recordUsage';
export const USAGE_COLLECTIONS: readonly Collection[] = [customerCollection(RECORD_USAGE, DELETED)];

export interface RecordUsage {
  /** `2026-11-23`: the UTC day that `versions` counts. */
  readonly day: string;
  /** Versions of sandboxes, policies and settings made on that day. */
  readonly versions: number;
  /** Sandboxes, deleted ones too. */
  readonly sandboxes: number;
  /** API keys, revoked ones too. */
  readonly apiKeys: number;
  /** Incidents, closed ones too; absent before the first one. */
  readonly incidents?: number;
  /** Auditors, revoked ones too; absent before the first one. */
  readonly auditors?: number;
  /** Policies that are not deleted; absent before the first one. */
  readonly policies?: number;
  /** Sum of `bytesOf` over all records. */
  readonly bytes: number;
}

export const NO_USAGE: RecordUsage = { day: '', versions: 0, sandboxes: 0, apiKeys: 0, bytes: 0 };

/** What a write adds. */
export interface Charge {
  /** ISO 8601: when it is made. */
  readonly at: string;
  readonly bytes: number;
  readonly versions?: number;
  readonly sandboxes?: number;
  readonly apiKeys?: number;
  readonly incidents?: number;
  readonly auditors?: number;
  readonly policies?: number;
}

/** Keys, sets, versions and slugs that belong to a record, roughly. */
const AROUND_RECORD_BYTES = 512;

/** The size of a record: its JSON, and the overhead. */
export const bytesOf = (record: object): number =>
  Buffer.byteLength(JSON.stringify(record)) + AROUND_RECORD_BYTES;

/** The numbers after a write. A day that is over does not begin again where processes' clocks differ. */
export function charged(usage: RecordUsage, charge: Charge): RecordUsage {
  const today = charge.at.slice(0, 10);
  const begins = today > usage.day;
  const incidents = (usage.incidents ?? 0) + (charge.incidents ?? 0);
  const auditors = (usage.auditors ?? 0) + (charge.auditors ?? 0);
  const policies = Math.max(0, (usage.policies ?? 0) + (charge.policies ?? 0));
  return {
    day: begins ? today : usage.day,
    versions: (begins ? 0 : usage.versions) + (charge.versions ?? 0),
    sandboxes: usage.sandboxes + (charge.sandboxes ?? 0),
    apiKeys: usage.apiKeys + (charge.apiKeys ?? 0),
    ...(incidents === 0 ? {} : { incidents }),
    ...(auditors === 0 ? {} : { auditors }),
    ...(policies === 0 ? {} : { policies }),
    // What an older release wrote meanwhile was not counted, but is subtracted when it is removed.
    bytes: Math.max(0, usage.bytes + charge.bytes),
  };
}

/** The limit that the write would exceed; null: none. A write cannot exceed a limit whose number it does not raise. */
export function exceeded(
  usage: RecordUsage,
  charge: Charge,
  budget: RecordBudget,
): keyof RecordBudget | null {
  const after = charged(usage, charge);
  if ((charge.sandboxes ?? 0) > 0 && after.sandboxes > budget.sandboxesEver) return 'sandboxesEver';
  if ((charge.apiKeys ?? 0) > 0 && after.apiKeys > budget.apiKeysEver) return 'apiKeysEver';
  if ((charge.incidents ?? 0) > 0 && (after.incidents ?? 0) > budget.incidentsEver) return 'incidentsEver';
  if ((charge.auditors ?? 0) > 0 && (after.auditors ?? 0) > budget.auditorsEver) return 'auditorsEver';
  if ((charge.policies ?? 0) > 0 && (after.policies ?? 0) > budget.policies) return 'policies';
  if ((charge.versions ?? 0) > 0 && after.versions > budget.versionsPerDay) return 'versionsPerDay';
  return charge.bytes > 0 && after.bytes > budget.storedBytes ? 'storedBytes' : null;
}

export const usageRef = (customerId: string): DocumentRef => ({
  scope: customerId,
  collection: RECORD_USAGE,
  id: customerId,
});

/** Has to be part of the write that is charged. */
export const usageWrite = (
  customerId: string,
  stored: StoredDocument<RecordUsage>,
  charge: Charge,
): DocumentWrite => ({
  collection: RECORD_USAGE,
  id: customerId,
  expectedVersion: stored.version,
  value: charged(stored.value, charge),
});

/** Null: the customer's records were never measured. */
const storedUsage = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<RecordUsage> | null> => documents.get<RecordUsage>(usageRef(customerId));

/** For a write that must not come behind a change of the customer's records, for example an incident, that it has not seen. */
export const unchangedUsage = async (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<DocumentWrite> => ({
  collection: RECORD_USAGE,
  id: customerId,
  expectedVersion: (await storedUsage(documents, customerId))?.version ?? 0,
  value: null,
  unchanged: true,
});
