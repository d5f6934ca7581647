import { hash } from 'node:crypto';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import {
  CUSTOMERS,
  type Documents,
  SESSION_LIFE_MS,
  SESSIONS,
  type StoredDocument,
} from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerRef } from '../customers/customers.ts';
import { endWrite } from './session-ends.ts';
import { networkHash, type SessionRecord, type UserRecord, userRef } from './user-record.ts';

/** Open sessions per user; another one ends the oldest. */
export const MAX_SESSIONS = 20;
/** Networks remembered per user. */
export const MAX_NETWORKS = 5;
const SECRET_BYTES = 32;
const TOKEN_PATTERN = /^[0-9a-f]{96}$/;

/** Where a session is stored. */
export interface SessionRef {
  readonly customerId: string;
  /** Hash of the token. */
  readonly sessionId: string;
}

/** A token contains its customer id, so that one atomic call finds the session; null: it cannot be a token. */
export function sessionRefOfToken(token: string): SessionRef | null {
  if (!TOKEN_PATTERN.test(token)) return null;
  const groups = [
    token.slice(0, 8),
    token.slice(8, 12),
    token.slice(12, 16),
    token.slice(16, 20),
    token.slice(20, 32),
  ];
  return { customerId: groups.join('-'), sessionId: hash('sha256', token) };
}

/** Dependencies for opening and ending sessions. */
export interface SessionRecords {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

interface NewSession {
  readonly customerId: string;
  readonly userId: string;
  /** Unix ms. */
  readonly at: number;
  /** The network from which the user signs in. */
  readonly network: string;
  /** Whether a link opens it: refused once the user has a password. */
  readonly byLink?: boolean;
}

/**
 * The token of a new session; never available again. null: the user or its customer no longer exists, or the user of a
 * link has a password.
 */
export function openSession(
  dependencies: SessionRecords,
  randomBytes: (size: number) => Buffer,
  { customerId, userId, at, network, byLink = false }: NewSession,
): Promise<string | null> {
  const { documents, makeEntry } = dependencies;
  const token = customerId.replaceAll('-', '') + randomBytes(SECRET_BYTES).toString('hex');
  const { sessionId } = sessionRefOfToken(token)!;
  // Sign-ins of a user are serialised, so that each sees all of its sessions.
  const ref = userRef(customerId, userId);
  return changeDocument<UserRecord, string | null>(dependencies, ref, async (user) => {
    const [customer, sessions] = await Promise.all([
      documents.get<CustomerRecord>(customerRef(customerId)),
      documents.list<SessionRecord>(customerId, SESSIONS),
    ]);
    if (user === null || customer === null || !customer.value.active) return unchanged(null);
    // Checked against the version that is written, so a password that is set at the same time counts.
    if (byLink && user.value.passwordHash !== null) return unchanged(null);
    const { over, displaced } = surplus(sessions, userId, at);
    return {
      value: signedIn(user.value, network, at),
      others: [
        // An erasure that has started in the meantime would miss the session.
        displaced.length > 0
          ? await endWrite(makeEntry, customer, new Date(at).toISOString())
          : {
              collection: CUSTOMERS,
              id: customerId,
              expectedVersion: customer.version,
              value: null,
              unchanged: true,
            },
        ...[...over, ...displaced].map((id) => ({ collection: SESSIONS, id, value: null })),
        { collection: SESSIONS, id: sessionId, expectedVersion: 0, value: { userId, openedAt: at } },
      ],
      result: token,
    };
  });
}

function signedIn(user: UserRecord, network: string, at: number): UserRecord {
  const known = networkHash(user.id, network);
  const networks = [...user.networks.filter((one) => one !== known), known].slice(-MAX_NETWORKS);
  return { ...user, signedInAt: new Date(at).toISOString(), networks };
}

/** The user's expired sessions, and the oldest ones beyond the limit. */
function surplus(
  sessions: readonly StoredDocument<SessionRecord>[],
  userId: string,
  at: number,
): { readonly over: readonly string[]; readonly displaced: readonly string[] } {
  const own = sessions.filter(({ value }) => value.userId === userId);
  const isOver = ({ value }: StoredDocument<SessionRecord>): boolean =>
    value.openedAt + SESSION_LIFE_MS <= at;
  const open = own
    .filter((session) => !isOver(session))
    .sort((left, right) => right.value.openedAt - left.value.openedAt);
  const idsOf = (some: readonly StoredDocument<SessionRecord>[]): string[] => some.map(({ id }) => id);
  return { over: idsOf(own.filter(isOver)), displaced: idsOf(open.slice(MAX_SESSIONS - 1)) };
}

/**
 * Ends a session at once on all nodes, and records it in the ledger. Writes nothing if there is no such session. `at`:
 * Unix ms.
 */
export function endSession(
  dependencies: SessionRecords,
  { customerId, sessionId }: SessionRef,
  at: number,
): Promise<void> {
  const ref = { scope: customerId, collection: SESSIONS, id: sessionId };
  return changeDocument<SessionRecord>(dependencies, ref, async (session) => {
    if (session === null) return unchanged(undefined);
    const customer = await dependencies.documents.get<CustomerRecord>(customerRef(customerId));
    // All sessions of a customer that is being erased have ended.
    const noted =
      customer?.value.active === true
        ? [await endWrite(dependencies.makeEntry, customer, new Date(at).toISOString())]
        : [];
    return { value: null, others: noted, result: undefined };
  });
}

/** Whether the user has signed in from there before. */
export const isKnownNetwork = (user: UserRecord, network: string): boolean =>
  user.networks.includes(networkHash(user.id, network));
