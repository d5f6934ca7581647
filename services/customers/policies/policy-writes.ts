import type { DocumentWrite, PendingEntry } from '#platform/state/port.ts';
import { bytesOf, type Charge } from '../record-usage.ts';
import {
  livePolicyWrite,
  POLICIES,
  POLICY_CHANGES,
  type PolicyChangeMark,
  type PolicyRecord,
  policyVersionId,
} from './policy-record.ts';

/** Everything that is written with a version of a policy but the usage: part of one atomic write. */
export function policyWrites(
  record: PolicyRecord,
  /** Version of the document that is replaced; 0: there is none. */
  expectedVersion: number,
  mark: PolicyChangeMark,
  entry: PendingEntry,
): DocumentWrite[] {
  const { id, version } = record;
  return [
    { collection: POLICIES, id, expectedVersion, value: record, entries: [entry] },
    { collection: POLICY_CHANGES, id: policyVersionId(id, version), expectedVersion: 0, value: mark },
    livePolicyWrite(record),
  ];
}

/** What a version adds to the usage: the change of the record's size, and its mark. */
export const policyCharge = (
  record: PolicyRecord,
  before: PolicyRecord | null,
  mark: PolicyChangeMark,
): Charge => ({
  at: record.updatedAt,
  bytes: bytesOf(record) - (before === null ? 0 : bytesOf(before)) + bytesOf(mark),
  versions: 1,
  policies: Number(record.deletedAt === null) - Number(before !== null && before.deletedAt === null),
});
