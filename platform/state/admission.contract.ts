import { expect, test } from '#jest';
import type { PendingMark } from './pending-mark.ts';
import { API_KEYS, apiKeyClaim } from './port.ts';
import { CUSTOMER, customer, KEY_HASH, KEY_ID, putCustomer, seedCustomer } from './testing/contract-seed.ts';
import type { Subject } from './testing/subject.ts';

export function describeAdmissionContract(subject: Subject): void {
  const admission = () => subject().state.admission;
  const documents = () => subject().state.documents;

  test('returns customer, key and rate for a valid key', async () => {
    await seedCustomer(subject().state);
    const at = subject().now();
    expect(await admission().authenticate(KEY_HASH)).toEqual({
      outcome: 'admitted',
      customerId: CUSTOMER,
      keyId: KEY_ID,
      customer: customer(),
      rate: { limit: 20, remaining: 19, resetAt: at + 100, retryAfterMs: 0 },
    });
  });

  test('an unknown key, a revoked key and a key of an inactive customer look the same', async () => {
    await seedCustomer(subject().state);
    expect(await admission().authenticate('b2'.repeat(32))).toEqual({ outcome: 'unknown' });
    await putCustomer(subject().state, customer({ active: false }));
    expect(await admission().authenticate(KEY_HASH)).toEqual({ outcome: 'unknown' });
    await putCustomer(subject().state, customer());
    expect(await admission().authenticate(KEY_HASH)).toMatchObject({ outcome: 'admitted' });
    await documents().write(CUSTOMER, [{ collection: API_KEYS, id: KEY_ID, value: { status: 'revoked' } }]);
    expect(await admission().authenticate(KEY_HASH)).toEqual({ outcome: 'unknown' });
  });

  test('a claim that leads from another key’s hash to a key admits no client', async () => {
    await seedCustomer(subject().state);
    const planted = 'b2'.repeat(32);
    const value = { customerId: CUSTOMER, keyId: KEY_ID };
    await documents().write(CUSTOMER, [], [{ name: apiKeyClaim(planted), value }]);
    expect(await admission().authenticate(planted)).toEqual({ outcome: 'unknown' });
    expect(await admission().authenticate(KEY_HASH)).toMatchObject({ outcome: 'admitted' });
  });

  test('admits a burst, then refuses until a token is available again', async () => {
    await seedCustomer(subject().state, { ratePerSecond: 10, burst: 5 });
    const burst = await Promise.all(Array.from({ length: 8 }, () => admission().authenticate(KEY_HASH)));
    expect(burst.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(5);
    const at = subject().now();
    const limited = await admission().authenticate(KEY_HASH);
    expect(limited).toMatchObject({
      outcome: 'limited',
      rate: { limit: 5, remaining: 0, resetAt: at + 500, retryAfterMs: 100 },
    });
    await subject().advance(99);
    expect(await admission().authenticate(KEY_HASH)).toMatchObject({ rate: { retryAfterMs: 1 } });
    await subject().advance(1);
    expect(await admission().authenticate(KEY_HASH)).toMatchObject({
      outcome: 'admitted',
      rate: { remaining: 0 },
    });
    await subject().advance(60_000);
    expect(await admission().takeRate(CUSTOMER, 0)).toEqual({
      limit: 5,
      remaining: 5,
      resetAt: subject().now(),
      retryAfterMs: 0,
    });
  });

  test('a named bucket has its own size and affects no customer’s rate', async () => {
    await seedCustomer(subject().state, { ratePerSecond: 10, burst: 5 });
    const size = { ratePerSecond: 2, burst: 3 };
    const take = (name: string, cost = 1) => admission().takeFrom(name, size, cost);
    const taken = await Promise.all(Array.from({ length: 5 }, () => take('auditor:a')));
    expect(taken.filter(({ retryAfterMs }) => retryAfterMs === 0)).toHaveLength(3);
    const at = subject().now();
    expect(await take('auditor:a')).toEqual({
      limit: 3,
      remaining: 0,
      resetAt: at + 1_500,
      retryAfterMs: 500,
    });
    expect(await take('auditor:b')).toMatchObject({ remaining: 2, retryAfterMs: 0 });
    // A customer's bucket is separate, even with the same name.
    expect(await take(CUSTOMER, 3)).toMatchObject({ remaining: 0, retryAfterMs: 0 });
    expect(await admission().takeRate(CUSTOMER, 1)).toMatchObject({ limit: 5, remaining: 4 });
    await subject().advance(500);
    expect(await take('auditor:a')).toMatchObject({ remaining: 0, retryAfterMs: 0 });
  });

  test('takes a cost of several tokens completely or not at all', async () => {
    await seedCustomer(subject().state, { ratePerSecond: 10, burst: 5 });
    expect(await admission().takeRate(CUSTOMER, 3)).toMatchObject({ remaining: 2, retryAfterMs: 0 });
    expect(await admission().takeRate(CUSTOMER, 3)).toMatchObject({ remaining: 2, retryAfterMs: 100 });
    expect(await admission().takeRate(CUSTOMER, 2)).toMatchObject({ remaining: 0, retryAfterMs: 0 });
    expect((await admission().takeRate('nobody', 1)).retryAfterMs).toBeGreaterThan(0);
  });

  test('a change of plan takes effect with the next call', async () => {
    await seedCustomer(subject().state, { ratePerSecond: 10, burst: 20 });
    await admission().authenticate(KEY_HASH);
    await putCustomer(subject().state, customer({ burst: 2 }));
    expect(await admission().authenticate(KEY_HASH)).toMatchObject({ rate: { limit: 2, remaining: 1 } });
  });

  test('records when a key was used, exact to a minute', async () => {
    await seedCustomer(subject().state);
    expect([...(await admission().lastUsed(CUSTOMER))]).toEqual([]);
    await admission().authenticate(KEY_HASH);
    await subject().advance(3 * 60_000);
    await admission().authenticate(KEY_HASH);
    await admission().authenticate('b2'.repeat(32));
    const lastUsed = await admission().lastUsed(CUSTOMER);
    expect([...lastUsed.keys()]).toEqual([KEY_ID]);
    expect(Math.abs(subject().now() - lastUsed.get(KEY_ID)!)).toBeLessThanOrEqual(60_000);
    expect((await admission().lastUsed('cus-2')).size).toBe(0);
  });

  test('a pending mark exists until it is removed or two hours have passed', async () => {
    const mark: PendingMark = {
      acceptedAt: subject().now(),
      sandboxId: 's1',
      sandboxSlug: 'support-bot',
      provider: 'openai',
      model: 'gpt-5',
    };
    for (const auditId of ['a1', 'a2']) await admission().setPendingMark(CUSTOMER, auditId, mark);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toEqual(mark);
    expect(await admission().pendingMark('cus-2', 'a1')).toBeNull();
    await admission().removePendingMarks([
      { customerId: CUSTOMER, auditId: 'a1' },
      { customerId: CUSTOMER, auditId: 'never' },
    ]);
    expect(await admission().pendingMark(CUSTOMER, 'a1')).toBeNull();
    await subject().advance(2 * 3_600_000 - 1_000);
    expect(await admission().pendingMark(CUSTOMER, 'a2')).toEqual(mark);
    await subject().advance(1_000);
    expect(await admission().pendingMark(CUSTOMER, 'a2')).toBeNull();
  });

  test('a malformed audit id has no pending mark', async () => {
    for (const auditId of ['', 'x'.repeat(10_000), 'nul\u0000', '\u001f', '../..'])
      expect(await admission().pendingMark(CUSTOMER, auditId)).toBeNull();
  });
}
