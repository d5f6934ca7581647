import type { DocumentWrite } from '#platform/state/port.ts';
import { bytesOf, type Charge } from '../changes/record-usage.ts';
import {
  livePolicyWrite,
  POLICY_CHANGES,
  type PolicyChangeMark,
  type PolicyRecord,
  policyVersionId,
} from './policy-record.ts';

/** Writes that belong to a version of a policy: part of one atomic write with the record and the usage. */
export const versionWrites = (record: PolicyRecord, mark: PolicyChangeMark): DocumentWrite[] => [
  {
    collection: POLICY_CHANGES,
    id: policyVersionId(record.id, record.version),
    expectedVersion: 0,
    value: mark,
  },
  livePolicyWrite(record),
];

/** What a version adds to the usage: the change in the record's size, and its mark. */
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
