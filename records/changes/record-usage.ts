import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { DocumentRef, Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';

/**
 * Document `RECORD_USAGE`, id = customer id: how much of the state the customer's records use. Every write that creates
 * or changes a record also writes this document, conditional on the version read, so the numbers are exact under
 * concurrent changes from any number of processes.
 */
export const RECORD_USAGE = 'recordUsage';
export const USAGE_COLLECTIONS: readonly Collection[] = [customerCollection(RECORD_USAGE, DELETED)];

export interface RecordUsage {
  /** `2026-11-23`: the UTC day that `versions` counts. */
  readonly day: string;
  /** Versions of sandboxes, policies and settings made on that day. */
  readonly versions: number;
  /** Sandboxes, including deleted ones. */
  readonly sandboxes: number;
  /** API keys, including revoked ones. */
  readonly apiKeys: number;
  /** Incidents, including closed ones; absent before the first one. */
  readonly incidents?: number;
  /** Auditors, including revoked ones; absent before the first one. */
  readonly auditors?: number;
  /** Policies that are not deleted; absent before the first one. */
  readonly policies?: number;
  /** Sum of `bytesOf` over all records. */
  readonly bytes: number;
}

export const NO_USAGE: RecordUsage = { day: '', versions: 0, sandboxes: 0, apiKeys: 0, bytes: 0 };

/** What a write adds to the usage. */
export interface Charge {
  /** ISO 8601: time of the write. */
  readonly at: string;
  readonly bytes: number;
  readonly versions?: number;
  readonly sandboxes?: number;
  readonly apiKeys?: number;
  readonly incidents?: number;
  readonly auditors?: number;
  readonly policies?: number;
}

/** Approximate size of the keys, sets, versions and slugs of a record. */
const AROUND_RECORD_BYTES = 512;

/** The size of a record: its JSON plus overhead. */
export const bytesOf = (record: object): number =>
  Buffer.byteLength(JSON.stringify(record)) + AROUND_RECORD_BYTES;

/** The usage after a write. A past day does not restart when clocks of processes differ. */
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
    // Writes of an older release were not counted, but are subtracted on removal.
    bytes: Math.max(0, usage.bytes + charge.bytes),
  };
}

/** The limit that the write would exceed; null: none. A write cannot exceed a limit whose count it does not raise. */
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

/** Must be part of the charged write. */
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

/** null: the customer's records were never measured. */
const storedUsage = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<RecordUsage> | null> => documents.get<RecordUsage>(usageRef(customerId));

/** For a write that must fail if the customer's records, such as an incident, have changed since they were read. */
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
