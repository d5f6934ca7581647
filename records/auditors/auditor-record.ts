import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { AuditorPermission, Framework } from '#schemas/vocabulary.ts';

/**
 * Document `AUDITORS` of a customer's scope, id = auditor id: the access of an auditor's token to this customer. A
 * token for several customers has a record with the same id in each scope, and each customer revokes its own. Times are
 * ISO 8601.
 */
export interface AuditorRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** First 8 characters of the token. */
  readonly prefix: string;
  /** Lower-case hex SHA-256 of the token, which is never stored. */
  readonly tokenHash: string;
  readonly permissions: readonly AuditorPermission[];
  /** null: all. */
  readonly frameworks: readonly Framework[] | null;
  /** Both ends inclusive; null: open. */
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  readonly expiresAt: string;
  readonly status: 'active' | 'revoked';
  readonly createdAt: string;
  /** null: issued by the platform. */
  readonly createdByKeyId: string | null;
  readonly revokedAt: string | null;
}

export const AUDITORS = 'auditors';
export const AUDITOR_COLLECTIONS: readonly Collection[] = [customerCollection(AUDITORS, DELETED)];

export const auditorRef = (customerId: string, id: string) => ({
  scope: customerId,
  collection: AUDITORS,
  id,
});

/** Value of both claims. */
export interface AuditorClaim {
  readonly auditorId: string;
  /** In the given order; a request that names no customer sees the first one. */
  readonly customerIds: readonly string[];
}

/** `tokenHash`: lower-case hex SHA-256 of the token. */
export const auditorClaim = (tokenHash: string): string => `auditor:${tokenHash}`;
export const auditorGrantsClaim = (auditorId: string): string => `auditor-grants:${auditorId}`;
