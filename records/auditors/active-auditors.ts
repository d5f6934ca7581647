import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';

/** Auditors of a customer that may be active (neither revoked nor expired) at a time. */
export const MAX_ACTIVE_AUDITORS = 20;

/** Document, id = customer id: auditors that were not revoked; expired ones are removed with the next change. */
export const ACTIVE_AUDITORS = 'activeAuditors';
export const ACTIVE_AUDITOR_COLLECTIONS: readonly Collection[] = [
  customerCollection(ACTIVE_AUDITORS, DELETED),
];

interface ActiveAuditor {
  readonly id: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Version 0: no such document yet. */
export async function activeAuditors(
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<readonly ActiveAuditor[]>> {
  const ref = { scope: customerId, collection: ACTIVE_AUDITORS, id: customerId };
  return (await documents.get<readonly ActiveAuditor[]>(ref)) ?? { id: customerId, version: 0, value: [] };
}

export const unexpired = (auditors: readonly ActiveAuditor[], at: string): readonly ActiveAuditor[] =>
  auditors.filter(({ expiresAt }) => expiresAt > at);

/** Part of the write that issues or revokes an auditor, so that the count stays exact under concurrent writes. */
export const activeWrite = (
  customerId: string,
  stored: StoredDocument,
  value: readonly ActiveAuditor[],
): DocumentWrite => ({
  collection: ACTIVE_AUDITORS,
  id: customerId,
  expectedVersion: stored.version,
  value,
});
