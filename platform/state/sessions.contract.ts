import { expect, test } from '#jest';
import { SESSION_IDLE_MS, SESSION_LIFE_MS, SESSIONS } from './port.ts';
import { CUSTOMER, customer, putCustomer, seedCustomer } from './testing/contract-seed.ts';
import type { Subject } from './testing/subject.ts';

const SESSION = 'e5'.repeat(32);
const OTHER = 'f6'.repeat(32);
const SIZE = { ratePerSecond: 10, burst: 3 };
const UNKNOWN = { outcome: 'unknown' };
const HOUR_MS = 3_600_000;

export function describeSessionContract(subject: Subject): void {
  const admission = () => subject().state.admission;
  const authenticate = (id = SESSION, customerId = CUSTOMER) =>
    admission().authenticateSession(customerId, id, SIZE);
  const put = async (id: string, value: unknown): Promise<void> => {
    await subject().state.documents.write(CUSTOMER, [{ collection: SESSIONS, id, value }]);
  };
  const open = async (id = SESSION): Promise<void> => {
    await seedCustomer(subject().state, { ratePerSecond: 1, burst: 1 });
    await put(id, { userId: 'user-1', openedAt: subject().now(), more: [] });
  };

  test('returns user, customer and rate of an open session, separate from the customer’s rate', async () => {
    await open();
    const at = subject().now();
    expect(await authenticate()).toEqual({
      outcome: 'admitted',
      userId: 'user-1',
      customer: customer({ ratePerSecond: 1, burst: 1 }),
      rate: { limit: 3, remaining: 2, resetAt: at + 100, retryAfterMs: 0 },
    });
    expect(await admission().takeRate(CUSTOMER, 0)).toMatchObject({ remaining: 1 });
  });

  test('an unknown session, one of another customer and one of an inactive customer look the same', async () => {
    await open();
    expect(await authenticate(OTHER)).toEqual(UNKNOWN);
    expect(await authenticate(SESSION, 'cus-2')).toEqual(UNKNOWN);
    await putCustomer(subject().state, customer({ active: false }));
    expect(await authenticate()).toEqual(UNKNOWN);
  });

  test('admits a burst of each session, then refuses until a token is available again', async () => {
    await open();
    await open(OTHER);
    const burst = await Promise.all(Array.from({ length: 5 }, () => authenticate()));
    expect(burst.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(3);
    expect(await authenticate()).toMatchObject({ outcome: 'limited', rate: { retryAfterMs: 100 } });
    expect(await authenticate(OTHER)).toMatchObject({ outcome: 'admitted', rate: { remaining: 2 } });
    const take = (cost: number) => admission().takeSessionRate(CUSTOMER, OTHER, SIZE, cost);
    expect(await take(2)).toMatchObject({ limit: 3, remaining: 0, retryAfterMs: 0 });
    expect(await take(1)).toMatchObject({ remaining: 0, retryAfterMs: 100 });
    await subject().advance(100);
    expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
  });

  test('a session ends twelve hours after its last use, at any age, also after reopening', async () => {
    await open();
    for (let hours = 0; hours < 44; hours += 11) {
      await subject().advance(11 * HOUR_MS);
      expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
      await subject().reopen();
    }
    await subject().advance(SESSION_IDLE_MS - 60_000);
    expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
    await subject().advance(SESSION_IDLE_MS);
    expect(await authenticate()).toEqual(UNKNOWN);
  });

  test('an unused session ends twelve hours after it was opened', async () => {
    await open();
    await open(OTHER);
    await subject().advance(SESSION_IDLE_MS - 1);
    expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
    await subject().advance(1);
    expect(await authenticate(OTHER)).toEqual(UNKNOWN);
    expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
  });

  test('a session ends thirty days after it was opened, even when in use', async () => {
    await open();
    const opened = subject().now();
    while (subject().now() + 11 * HOUR_MS < opened + SESSION_LIFE_MS) {
      await subject().advance(11 * HOUR_MS);
      expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
    }
    await subject().advance(opened + SESSION_LIFE_MS - subject().now() - 1);
    expect(await authenticate()).toMatchObject({ outcome: 'admitted' });
    await subject().advance(1);
    expect(await authenticate()).toEqual(UNKNOWN);
  });

  test('a removed session is refused at once, and no use restores it', async () => {
    await open();
    const calls = Array.from({ length: 20 }, () => authenticate());
    await put(SESSION, null);
    await Promise.all(calls);
    expect(await authenticate()).toEqual(UNKNOWN);
    await subject().reopen();
    expect(await authenticate()).toEqual(UNKNOWN);
    expect(await subject().state.documents.ids(CUSTOMER, SESSIONS)).toEqual([]);
  });
}
