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
  /** As given; null: signs in by a link. */
  readonly email: string | null;
  /** null: no password is right. */
  readonly passwordHash: string | null;
  readonly createdAt: string;
  readonly signedInAt: string | null;
  /** Hashes of the networks of the last sign-ins, oldest first. */
  readonly networks: readonly string[];
}

export const USERS = 'users';

/** Document `SESSIONS`, id = hash of the token. The token itself is never stored. */
export type SessionRecord = SessionAdmission;

/**
 * Document of the system's scope, id = hash of the e-mail: whose it is. Customers live in scopes of their own, so it is
 * written before the user is: it may name one that does not exist, or not yet.
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

/** One spelling of an address: its case does not matter. */
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

/** A network as one user's record names it: the same one reads otherwise in each record. */
export const networkHash = (userId: string, network: string): string =>
  hash('sha256', `${userId} ${network}`);
