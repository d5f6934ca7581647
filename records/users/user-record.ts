import { hash } from 'node:crypto';
import {
  type Collection,
  customerCollection,
  DELETED,
  deletedBy,
  systemCollection,
} from '#platform/state/collection.ts';
import { type DocumentRef, type SessionAdmission, SYSTEM_SCOPE } from '#platform/state/port.ts';

/** Document `USERS` of the customer's scope, id = user id. Times are ISO 8601. */
export interface UserRecord {
  readonly id: string;
  /** As given; null: the user signs in by a link. */
  readonly email: string | null;
  /** null: no password is accepted. */
  readonly passwordHash: string | null;
  readonly createdAt: string;
  readonly signedInAt: string | null;
  /** Hashes of the networks of the last sign-ins, the oldest first. */
  readonly networks: readonly string[];
}

export const USERS = 'users';

/** Document `SESSIONS`, id = hash of the token. The token itself is never stored. */
export type SessionRecord = SessionAdmission;

/**
 * Document of the system's scope, id = hash of the email: its owner. Each customer has a separate scope, so this is
 * written before the user: it may name one that does not exist, or not yet.
 */
export interface EmailOwner {
  readonly customerId: string;
  readonly userId: string;
  /** Unix ms. */
  readonly reservedAt: number;
}

const EMAIL_OWNERS = 'emailOwners';
export const USER_COLLECTIONS: readonly Collection[] = [
  customerCollection(USERS, DELETED),
  systemCollection(EMAIL_OWNERS, deletedBy('`freeEmails`, before the users are deleted')),
];

/** Hash of an address, ignoring case. */
export const emailHash = (email: string): string => hash('sha256', email.toLowerCase());

export const emailRef = (email: string): DocumentRef => ({
  scope: SYSTEM_SCOPE,
  collection: EMAIL_OWNERS,
  id: emailHash(email),
});

export const userRef = (customerId: string, id: string): DocumentRef => ({
  scope: customerId,
  collection: USERS,
  id,
});

/** A network as recorded for one user: the same network has a different hash in each record. */
export const networkHash = (userId: string, network: string): string =>
  hash('sha256', `${userId} ${network}`);
