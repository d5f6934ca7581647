import type { RecordBudget } from '../../schemas/record-budget.ts';
import type { DocumentRef, Documents, DocumentWrite, StoredDocument } from '../state/port.ts';

/**
 * Document `RECORD_USAGE`, id = customer id: what the customer's records take in the state. Every write that makes or
 * changes a record writes it too, compared with the version that was read, so that the numbers are exact however many
 * changes come at the same time and through however many processes.
 */
export const RECORD_USAGE = 'recordUsage';

export interface RecordUsage {
  /** `2026-11-23`: the UTC day that `versions` counts. */
  readonly day: string;
  /** Versions of sandboxes made on that day. */
  readonly versions: number;
  /** Sandboxes, deleted ones too. */
  readonly sandboxes: number;
  /** API keys, revoked ones too. */
  readonly apiKeys: number;
  /** Of all records, each as `bytesOf` has it. */
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
}

/** Keys, sets, versions and slugs that stand around a record, roughly. */
const AROUND_RECORD_BYTES = 512;

/** What a record takes: its JSON, and what stands around it. */
export const bytesOf = (record: object): number =>
  Buffer.byteLength(JSON.stringify(record)) + AROUND_RECORD_BYTES;

/** The numbers after a write. A day that is over does not begin again where processes' clocks differ. */
export function charged(usage: RecordUsage, charge: Charge): RecordUsage {
  const today = charge.at.slice(0, 10);
  const begins = today > usage.day;
  return {
    day: begins ? today : usage.day,
    versions: (begins ? 0 : usage.versions) + (charge.versions ?? 0),
    sandboxes: usage.sandboxes + (charge.sandboxes ?? 0),
    apiKeys: usage.apiKeys + (charge.apiKeys ?? 0),
    // What an older release wrote beside this one was not counted, and is taken off when it goes.
    bytes: Math.max(0, usage.bytes + charge.bytes),
  };
}

/** What the write would exceed; null: nothing. What it does not raise it cannot exceed. */
export function exceeded(
  usage: RecordUsage,
  charge: Charge,
  budget: RecordBudget,
): keyof RecordBudget | null {
  const after = charged(usage, charge);
  if ((charge.sandboxes ?? 0) > 0 && after.sandboxes > budget.sandboxesEver) return 'sandboxesEver';
  if ((charge.apiKeys ?? 0) > 0 && after.apiKeys > budget.apiKeysEver) return 'apiKeysEver';
  if ((charge.versions ?? 0) > 0 && after.versions > budget.versionsPerDay) return 'versionsPerDay';
  return charge.bytes > 0 && after.bytes > budget.storedBytes ? 'storedBytes' : null;
}

export const usageRef = (customerId: string): DocumentRef => ({
  scope: customerId,
  collection: RECORD_USAGE,
  id: customerId,
});

/** Belongs into the write that is charged. */
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
export const storedUsage = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<RecordUsage> | null> => documents.get<RecordUsage>(usageRef(customerId));
