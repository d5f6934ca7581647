import { hash } from 'node:crypto';
import {
  CUSTOMERS,
  type Documents,
  SESSION_LIFE_MS,
  SESSIONS,
  type StoredDocument,
} from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '../ledger-events.ts';
import type { CustomerRecord } from '../records.ts';
import { endWrite } from './session-ends.ts';
import { networkHash, type SessionRecord, USERS, type UserRecord, userRef } from './user-record.ts';

/** Open sessions of a user; one more ends the oldest. */
export const MAX_SESSIONS = 20;
/** Networks that a user's record remembers. */
export const MAX_NETWORKS = 5;
const ROUNDS = 50;
const SECRET_BYTES = 32;
const TOKEN_PATTERN = /^[0-9a-f]{96}$/;

/** Where a session is stored. */
export interface SessionPlace {
  readonly customerId: string;
  /** Hash of the token. */
  readonly sessionId: string;
}

/** A token names its customer, so that one atomic call finds the session; null: it cannot be a token. */
export function placeOfToken(token: string): SessionPlace | null {
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

/** What opening and ending sessions needs. */
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
  /** Where the user signs in from. */
  readonly network: string;
}

/** The token of a new session: only here in full. null: the user or its customer is gone; 'CONTENDED': repeat it. */
export async function openSession(
  { documents, makeEntry, announce }: SessionRecords,
  randomBytes: (size: number) => Buffer,
  { customerId, userId, at, network }: NewSession,
): Promise<string | null | 'CONTENDED'> {
  const token = customerId.replaceAll('-', '') + randomBytes(SECRET_BYTES).toString('hex');
  const { sessionId } = placeOfToken(token)!;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [customer, user, sessions] = await Promise.all([
      documents.get<CustomerRecord>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
      documents.get<UserRecord>(userRef(customerId, userId)),
      documents.list<SessionRecord>(customerId, SESSIONS),
    ]);
    if (user === null || customer === null || !customer.value.active) return null;
    const { over, displaced } = surplus(sessions, userId, at);
    const ended = displaced.length > 0;
    const outcome = await documents.write(customerId, [
      // An erasure that has begun meanwhile would not see the session.
      ended
        ? await endWrite(makeEntry, customer, new Date(at).toISOString())
        : {
            collection: CUSTOMERS,
            id: customerId,
            expectedVersion: customer.version,
            value: null,
            unchanged: true,
          },
      // Sign-ins of a user come one after the other, so that each sees all of its sessions.
      {
        collection: USERS,
        id: userId,
        expectedVersion: user.version,
        value: signedIn(user.value, network, at),
      },
      ...[...over, ...displaced].map((id) => ({ collection: SESSIONS, id, value: null })),
      { collection: SESSIONS, id: sessionId, expectedVersion: 0, value: { userId, openedAt: at } },
    ]);
    if (outcome.ok && ended) announce({ scope: customerId, collection: CUSTOMERS, id: customerId });
    if (outcome.ok) return token;
  }
  return 'CONTENDED';
}

function signedIn(user: UserRecord, network: string, at: number): UserRecord {
  const known = networkHash(user.id, network);
  const networks = [...user.networks.filter((one) => one !== known), known].slice(-MAX_NETWORKS);
  return { ...user, signedInAt: new Date(at).toISOString(), networks };
}

/** Sessions of the user that are over, and the oldest ones that leave no room for another. */
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
 * Ends a session at once, everywhere, and notes it in the ledger; of one that is not there nothing is written. `at`: Unix
 * ms.
 */
export async function endSession(
  { documents, makeEntry, announce }: SessionRecords,
  { customerId, sessionId }: SessionPlace,
  at: number,
): Promise<void> {
  const ref = { scope: customerId, collection: SESSIONS, id: sessionId };
  const ofCustomer = { scope: customerId, collection: CUSTOMERS, id: customerId };
  for (;;) {
    const [session, customer] = await Promise.all([
      documents.get(ref),
      documents.get<CustomerRecord>(ofCustomer),
    ]);
    if (session === null) return;
    const gone = { collection: SESSIONS, id: sessionId, value: null };
    // Of a customer that is being erased every session has ended.
    const noted =
      customer?.value.active === true
        ? [await endWrite(makeEntry, customer, new Date(at).toISOString())]
        : [];
    if (!(await documents.write(customerId, [gone, ...noted])).ok) continue;
    if (noted.length > 0) announce(ofCustomer);
    return;
  }
}

/** True when the user has signed in from there before. */
export const isKnownNetwork = (user: UserRecord, network: string): boolean =>
  user.networks.includes(networkHash(user.id, network));
