import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type Documents, SESSION_LIFE_MS, SESSIONS, type State } from '#platform/state/port.ts';
import { cleanRecords } from '../erasure/erasures.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import { createAccount, createLinkUser, RESERVED_MS, userByEmail } from './accounts.ts';
import {
  endSession,
  MAX_NETWORKS,
  MAX_SESSIONS,
  openSession,
  type SessionRecords,
  sessionRefOfToken,
} from './sessions.ts';
import { setCredentials } from './set-credentials.ts';
import { LINK_MS, makeSignInLink, useSignInLink } from './sign-in-links.ts';
import { emailRef, USERS, type UserRecord, userRef } from './user-record.ts';

const EMAIL = 'Ann@Example.org';
let folder: string;
let state: State;
let at: number;
beforeEach(async () => {
  at = Date.UTC(2026, 10, 21, 12);
  entries = [];
  folder = await mkdtemp(path.join(os.tmpdir(), 'users-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: () => at }),
  );
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

/** Ids of the ledger entries that were made. */
let entries: string[] = [];
const records = (): SessionRecords => ({
  documents: state.documents,
  makeEntry: async ({ kind, id, customerId }) => {
    entries.push(`${kind}:${id}`);
    return { entryId: `${kind}:${id}`, topic: 'ledger', key: customerId, valueBase64: '', headers: {} };
  },
  announce: () => undefined,
});

const SIZE = { ratePerSecond: 10, burst: 50 };

function account(email = EMAIL, documents: Documents = state.documents) {
  const customerId = v7();
  const customer = {
    id: customerId,
    name: 'Ann',
    type: 'INDIVIDUAL',
    plan: 'DEV',
    overrides: { rate: null, burst: null, auditQuota: null, sandboxQuota: null },
    limits: { ratePerSecond: 10, burst: 50, auditQuota: 1_000, sandboxQuota: 1 },
    createdAt: new Date(at).toISOString(),
  } as const;
  return createAccount(documents, { customer, userId: v7(), email, passwordHash: 'hash' });
}

async function made(email = EMAIL) {
  const created = await account(email);
  if (!created.ok) throw new Error(created.reason);
  return { customerId: created.customer.id, userId: created.user.id };
}

/** Documents whose writes call `before` first, with the collections written. */
const intercepted = (before: (collections: readonly string[]) => Promise<void>): Documents => ({
  ...state.documents,
  async write(scope, writes, claims) {
    await before(writes.map(({ collection }) => collection));
    return state.documents.write(scope, writes, claims);
  },
});

describe('an email', () => {
  test('belongs to one account, ignoring case', async () => {
    const { userId } = await made();
    expect((await userByEmail(state.documents, 'ANN@example.ORG'))?.user).toMatchObject({
      id: userId,
      email: EMAIL,
    });
    expect(await account('ann@example.org')).toEqual({ ok: false, reason: 'EMAIL_TAKEN' });
    expect(await userByEmail(state.documents, 'bob@example.org')).toBeNull();
  });

  test('goes to one of twenty concurrent requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => account()));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const [first] = outcomes.filter((one) => one.ok);
    expect((await userByEmail(state.documents, EMAIL))?.user.id).toBe(first?.user.id);
  });

  test('reserved by a killed request is free again after a minute, and not before', async () => {
    const dying = intercepted(async (collections) => {
      if (collections.includes(USERS)) throw new Error('killed');
    });
    await expect(account(EMAIL, dying)).rejects.toThrow('killed');
    expect(await userByEmail(state.documents, EMAIL)).toBeNull();
    at += RESERVED_MS - 1;
    expect(await account()).toEqual({ ok: false, reason: 'UNDER_WAY' });
    at += 1;
    expect(await account()).toMatchObject({ ok: true });
  });

  test('taken over while its request was delayed belongs to the other, and the delayed request fails', async () => {
    let other: Awaited<ReturnType<typeof account>> | undefined;
    const sleeping = intercepted(async (collections) => {
      if (!collections.includes(USERS)) return;
      at += RESERVED_MS;
      other = await account();
    });
    expect(await account(EMAIL, sleeping)).toEqual({ ok: false, reason: 'LOST' });
    expect(other).toMatchObject({ ok: true });
    expect((await userByEmail(state.documents, EMAIL))?.user.id).toBe(
      other?.ok === true ? other.user.id : null,
    );
  });

  test('is free after its customer was erased, with its users and sessions', async () => {
    const { customerId, userId } = await made();
    const other = await made('bob@example.org');
    const token = await openSession(records(), randomBytes, { customerId, userId, at, network: 'n' });
    await cleanRecords(state.documents, customerId);
    await cleanRecords(state.documents, customerId);
    expect(await state.documents.get(emailRef(EMAIL))).toBeNull();
    for (const collection of [USERS, SESSIONS])
      expect(await state.documents.ids(customerId, collection)).toEqual([]);
    const { sessionId } = sessionRefOfToken(String(token))!;
    expect(await state.admission.authenticateSession(customerId, sessionId, SIZE)).toEqual({
      outcome: 'unknown',
    });
    expect((await userByEmail(state.documents, 'bob@example.org'))?.user.id).toBe(other.userId);
    expect(await account()).toMatchObject({ ok: true });
  });
});

describe('sessions of a user', () => {
  const open = (asked: { customerId: string; userId: string }, network = '192.0.2.1') =>
    openSession(records(), randomBytes, { ...asked, at, network });
  const isOpen = async (token: string): Promise<boolean> => {
    const { customerId, sessionId } = sessionRefOfToken(token)!;
    return (await state.admission.authenticateSession(customerId, sessionId, SIZE)).outcome === 'admitted';
  };

  test('are stored by their hash', async () => {
    const asked = await made();
    const token = String(await open(asked));
    expect(token).toMatch(/^[0-9a-f]{96}$/);
    expect(await isOpen(token)).toBe(true);
    const stored = JSON.stringify(await state.documents.list(asked.customerId, SESSIONS));
    expect(stored).not.toContain(token.slice(32));
  });

  test('are limited to twenty, even when opened at once, and the oldest ends', async () => {
    const asked = await made();
    const first = String(await open(asked));
    for (let round = 0; round < 3; round += 1) {
      // Of sessions in the same millisecond any may be the oldest.
      at += 1;
      const tokens = await Promise.all(Array.from({ length: 9 }, () => open(asked)));
      expect(tokens.every((token) => typeof token === 'string')).toBe(true);
      expect(await isOpen(String(tokens[0]))).toBe(true);
    }
    expect(await isOpen(first)).toBe(false);
    expect(await state.documents.ids(asked.customerId, SESSIONS)).toHaveLength(MAX_SESSIONS);
  });

  test('make room by removing expired ones first', async () => {
    const asked = await made();
    for (let n = 0; n < 3; n += 1) await open(asked);
    at += SESSION_LIFE_MS;
    await open(asked);
    expect(await state.documents.ids(asked.customerId, SESSIONS)).toHaveLength(1);
  });

  test('end at once, and ending a missing one writes nothing', async () => {
    const asked = await made();
    const [one, other] = [String(await open(asked)), String(await open(asked))];
    const session = sessionRefOfToken(one)!;
    await endSession(records(), session, at);
    await endSession(records(), session, at);
    expect([await isOpen(one), await isOpen(other)]).toEqual([false, true]);
    expect(entries).toEqual(['KEY_EVENT:session:ended:1']);
    const nowhere = { customerId: v7(), sessionId: session.sessionId };
    await endSession(records(), nowhere, at);
    expect(await state.documents.ids(nowhere.customerId, SESSIONS)).toEqual([]);
  });

  test('are not opened for a customer whose erasure starts in the meantime', async () => {
    const asked = await made();
    const ref = { scope: asked.customerId, collection: CUSTOMERS, id: asked.customerId };
    const customer = (await state.documents.get<object>(ref))!.value;
    let isErased = false;
    const erasing = intercepted(async (collections) => {
      if (isErased || !collections.includes(SESSIONS)) return;
      isErased = true;
      await state.documents.write(ref.scope, [{ ...ref, value: { ...customer, active: false } }]);
    });
    const token = await openSession({ ...records(), documents: erasing }, randomBytes, {
      ...asked,
      at,
      network: 'n',
    });
    expect(token).toBeNull();
    expect(await state.documents.ids(asked.customerId, SESSIONS)).toEqual([]);
  });

  test('record the last networks, none in clear', async () => {
    const asked = await made();
    for (let n = 0; n < 8; n += 1) await open(asked, `192.0.2.${n}`);
    const user = (await state.documents.get<UserRecord>(userRef(asked.customerId, asked.userId)))!.value;
    expect(user.networks).toHaveLength(MAX_NETWORKS);
    expect(JSON.stringify(user)).not.toContain('192.0.2');
  });
});

describe('the email of a link’s user', () => {
  /** Sets it for a user who has none, next to the user that `made` makes. */
  async function linked() {
    const { customerId } = await made('owner@example.org');
    const userId = v7();
    await createLinkUser(state.documents, { customerId, userId, at: new Date(at).toISOString() });
    const token = await openSession(records(), randomBytes, { customerId, userId, at, network: 'n' });
    const session = { ...sessionRefOfToken(String(token))!, userId };
    const keep = (documents: Documents = state.documents) =>
      setCredentials(documents, { session, email: EMAIL, passwordHash: 'hash', at });
    return { customerId, userId, keep };
  }
  const killed = () =>
    intercepted(async (collections) => {
      if (collections.includes(USERS)) throw new Error('killed');
    });

  test('reserved by a killed request is set at once by its repeat', async () => {
    const { userId, keep } = await linked();
    await expect(keep(killed())).rejects.toThrow('killed');
    expect(await userByEmail(state.documents, EMAIL)).toBeNull();
    expect(await keep()).toMatchObject({ ok: true });
    expect((await userByEmail(state.documents, EMAIL))?.user.id).toBe(userId);
  });

  test('reserved by a killed request can go to another user after a minute', async () => {
    const { keep } = await linked();
    await expect(keep(killed())).rejects.toThrow('killed');
    expect(await account()).toEqual({ ok: false, reason: 'UNDER_WAY' });
    at += RESERVED_MS;
    expect(await account()).toMatchObject({ ok: true });
    expect(await keep()).toEqual({ ok: false, reason: 'EMAIL_TAKEN' });
  });

  test('taken over while its request was delayed is not kept', async () => {
    const { customerId, userId, keep } = await linked();
    let isAsleep = true;
    const sleeping = intercepted(async (collections) => {
      if (!isAsleep || !collections.includes(USERS)) return;
      isAsleep = false;
      at += RESERVED_MS;
      await account();
    });
    expect(await keep(sleeping)).toEqual({ ok: false, reason: 'UNDER_WAY' });
    const user = await state.documents.get<UserRecord>(userRef(customerId, userId));
    expect(user?.value).toMatchObject({ email: null, passwordHash: null });
  });

  test('is not set while the erasure of the customer starts, and is free when it is complete', async () => {
    const { customerId, keep } = await linked();
    const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
    const customer = (await state.documents.get<object>(ref))!.value;
    let isErased = false;
    const erasing = intercepted(async (collections) => {
      if (isErased || !collections.includes(USERS)) return;
      isErased = true;
      await state.documents.write(ref.scope, [{ ...ref, value: { ...customer, active: false } }]);
    });
    expect(await keep(erasing)).toEqual({ ok: false, reason: 'GONE' });
    await cleanRecords(state.documents, customerId);
    at += RESERVED_MS;
    expect(await account()).toMatchObject({ ok: true });
  });

  test('is free after the customer was erased', async () => {
    const { customerId, keep } = await linked();
    await keep();
    await cleanRecords(state.documents, customerId);
    expect(await state.documents.get(emailRef(EMAIL))).toBeNull();
  });
});

describe('a link', () => {
  const user = { customerId: 'c1', userId: 'u1' };

  test('works for one of many concurrent uses, and then never again', async () => {
    const token = await makeSignInLink(state.expiring, randomBytes, user);
    const used = await Promise.all(Array.from({ length: 10 }, () => useSignInLink(state.expiring, token)));
    expect(used.filter((one) => one !== null)).toEqual([user]);
    expect(await useSignInLink(state.expiring, token)).toBeNull();
  });

  test('works for an hour', async () => {
    const tokens = [
      await makeSignInLink(state.expiring, randomBytes, user),
      await makeSignInLink(state.expiring, randomBytes, user),
    ] as const;
    at += LINK_MS - 1;
    expect(await useSignInLink(state.expiring, tokens[0])).toEqual(user);
    at += 1;
    expect(await useSignInLink(state.expiring, tokens[1])).toBeNull();
  });
});
