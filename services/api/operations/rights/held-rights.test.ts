import { expect, test } from '#jest';
import {
  API_KEYS,
  CUSTOMERS,
  type DocumentRef,
  type DocumentWrite,
  SESSION_IDLE_MS,
  SESSIONS,
  type State,
} from '#platform/state/port.ts';
import { until } from '#platform/stream/testing/until.ts';
import { AUDITORS } from '#records/auditors/auditor-record.ts';
import { RIGHTS_CHECK_MS, UNANSWERED_MS, watchRights } from './held-rights.ts';
import type { Right } from './right.ts';

const OWNER = 'customer';
const key = (id: string): Right => ({ customerId: OWNER, collection: API_KEYS, id });
const session: Right = { customerId: OWNER, collection: SESSIONS, id: 's' };
const auditor: Right = { customerId: OWNER, collection: AUDITORS, id: 'a' };

/** A state with a key, a session, an auditor and a second key of one customer. */
function world(checkMs = 1) {
  const values = new Map<string, object | null>([
    [`${CUSTOMERS}/${OWNER}`, { active: true }],
    [`${API_KEYS}/k`, { status: 'active' }],
    [`${API_KEYS}/other`, { status: 'active' }],
    [`${SESSIONS}/s`, { userId: 'u', openedAt: 0 }],
    [`${AUDITORS}/a`, { status: 'active', expiresAt: '2000-01-01T00:00:00.000Z' }],
  ]);
  const own = {
    nowMs: 0,
    asked: [] as string[],
    isDown: false,
    ended: [] as string[],
    set: (collection: string, id: string, value: object | null) =>
      void values.set(`${collection}/${id}`, value),
  };
  const documents = {
    get: async ({ collection, id }: DocumentRef) => {
      own.asked.push(`${collection}/${id}`);
      if (own.isDown) throw new Error('the state is down');
      const value = values.get(`${collection}/${id}`) ?? null;
      return value === null ? null : { id, version: 1, value };
    },
    write: async (_scope: string, writes: readonly DocumentWrite[]) => {
      for (const { collection, id, value } of writes) own.set(collection, id, value as object | null);
      return { ok: true, versions: [] };
    },
  };
  const logger = { debug: () => undefined };
  const { state, rights } = watchRights({ documents } as unknown as State, {
    now: () => own.nowMs,
    logger: logger as never,
    checkMs,
  });
  const hold = (right: Right) =>
    rights.hold(right, () => void own.ended.push(`${right.collection}/${right.id}`));
  return { own, state, rights, hold };
}

const NEVER = 1e9;

test.each([
  ['a key that is revoked', key('k'), API_KEYS, 'k', { status: 'revoked' }, 'INVALID_KEY'],
  ['a session that is closed', session, SESSIONS, 's', null, 'INVALID_SESSION'],
  [
    'an auditor whose token is revoked',
    auditor,
    AUDITORS,
    'a',
    { status: 'revoked', expiresAt: '2000-01-01' },
    'INVALID_AUDITOR_TOKEN',
  ],
])(
  '%s ends its own answers before the writer is answered',
  async (_name, right, collection, id, value, ended) => {
    const { own, state, rights, hold } = world(NEVER);
    hold(right);
    hold(right);
    hold(key('other'));
    await state.documents.write(OWNER, [{ collection, id, value }]);
    const name = `${right.collection}/${right.id}`;
    expect(own.ended).toEqual([name, name]);
    await expect(rights.demand(right)).rejects.toMatchObject({ code: ended });
    await expect(rights.demand(key('other'))).resolves.toBeUndefined();
    rights.stop();
  },
);

test('closing a customer ends the answers of all its rights', async () => {
  const { own, state, hold } = world(NEVER);
  for (const right of [key('k'), session, auditor]) hold(right);
  await state.documents.write(OWNER, [{ collection: CUSTOMERS, id: OWNER, value: { active: false } }]);
  expect(own.ended).toEqual(['apiKeys/k', 'sessions/s', 'auditors/a']);
});

test('rights ended by another process are found at least twice a second, with one read per right', async () => {
  expect(RIGHTS_CHECK_MS).toBeLessThanOrEqual(500);
  const { own, rights, hold } = world();
  hold(key('k'));
  hold(key('k'));
  await until(() => own.asked.length >= 2);
  expect(own.asked.slice(0, 2)).toEqual(['customers/customer', 'apiKeys/k']);
  own.set(API_KEYS, 'k', { status: 'revoked' });
  await until(() => own.ended.length === 2);
  rights.stop();
});

test('an expired token and an unused session end their answers', async () => {
  const { own, rights, hold } = world();
  hold(auditor);
  hold(session);
  hold(key('k'));
  own.nowMs = SESSION_IDLE_MS;
  await until(() => own.ended.length === 1);
  own.nowMs = Date.parse('2000-01-01T00:00:00.000Z');
  await until(() => own.ended.length === 2);
  expect(own.ended).toEqual(['sessions/s', 'auditors/a']);
  rights.stop();
});

test('a right is assumed valid for a minute while the state does not answer', async () => {
  const { own, rights, hold } = world();
  hold(key('k'));
  own.isDown = true;
  own.nowMs = UNANSWERED_MS - 1;
  const before = own.asked.length;
  await until(() => own.asked.length > before + 2);
  expect(own.ended).toEqual([]);
  own.nowMs += 1;
  await until(() => own.ended.length === 1);
  rights.stop();
});

test('the right of a completed answer is no longer checked', async () => {
  const { own, state, hold } = world(NEVER);
  hold(key('k'))();
  await state.documents.write(OWNER, [{ collection: API_KEYS, id: 'k', value: { status: 'revoked' } }]);
  expect([own.asked, own.ended]).toEqual([[], []]);
});
