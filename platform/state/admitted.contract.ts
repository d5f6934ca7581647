import { expect, test } from '#jest';
import type { AdmittedAudits } from './admitted-audits.ts';
import {
  CUSTOMER,
  customer,
  idempotencyKey,
  NOON,
  putCustomer,
  reserveRequest,
  seedCustomer,
} from './testing/contract-seed.ts';
import type { Subject } from './testing/subject.ts';

const MINUTE_MS = 60_000;

export function describeAdmittedContract(subject: Subject): void {
  const state = () => subject().state;
  const audits = (change: Partial<AdmittedAudits> = {}): AdmittedAudits => ({
    customerId: CUSTOMER,
    epoch: 1,
    acceptedAt: subject().now(),
    count: 1,
    ...change,
  });
  const count = (...admitted: AdmittedAudits[]) => state().admission.countAdmitted(admitted);
  const counted = (customerId = CUSTOMER) => state().admission.admittedCount(customerId);
  const total = async () => (await counted())?.total;
  const answer = { statusCode: 202, body: '{}' };

  test('audits are counted since the first one, also after reopening; null when none was counted', async () => {
    await seedCustomer(state());
    expect(await counted()).toBeNull();
    const since = subject().now();
    await count(audits({ count: 3 }), audits({ acceptedAt: since + 7, count: 2 }));
    await subject().reopen();
    await count(audits());
    expect(await counted()).toEqual({ epoch: 1, since, total: 6 });
    expect(await counted('another')).toBeNull();
  });

  test('concurrent counts are all included', async () => {
    await seedCustomer(state());
    await count(audits());
    await Promise.all(Array.from({ length: 30 }, (_, n) => count(audits({ count: n }))));
    expect(await total()).toBe(1 + (30 * 29) / 2);
  });

  test('audits from a minute before counting started move the start back, older ones are not counted', async () => {
    await seedCustomer(state());
    const at = subject().now();
    const accepted = (acceptedAt: number) => count(audits({ acceptedAt }));
    await accepted(at);
    await accepted(at - MINUTE_MS - 1);
    expect(await counted()).toMatchObject({ total: 1, since: at });
    await accepted(at - MINUTE_MS);
    expect(await counted()).toMatchObject({ total: 2, since: at - MINUTE_MS });
    await accepted(at - 1);
    await accepted(at - 3 * MINUTE_MS);
    expect(await counted()).toMatchObject({ total: 3, since: at - MINUTE_MS });
  });

  test('a later epoch restarts the count, and audits of a past one are not counted', async () => {
    await seedCustomer(state());
    await count(audits({ count: 5 }));
    await subject().advance(1_000);
    await count(audits({ epoch: 2, count: 2 }));
    await count(audits({ epoch: 1, count: 4 }));
    expect(await counted()).toMatchObject({ epoch: 2, total: 2, since: subject().now() });
  });

  test('unknown and inactive customers are not counted, and a removed count does not return', async () => {
    await count(audits());
    expect(await counted()).toBeNull();
    await seedCustomer(state());
    await count(audits());
    await putCustomer(state(), customer({ active: false }));
    await count(audits());
    expect(await total()).toBe(1);
    await state().admission.removeAdmittedCount(CUSTOMER);
    await state().admission.removeAdmittedCount(CUSTOMER);
    const key = idempotencyKey('k1');
    await count(audits());
    await state().idempotency.settle(CUSTOMER, key, answer, audits());
    await subject().reopen();
    expect(await counted()).toBeNull();
  });

  test('audits with a key are counted with the first stored answer', async () => {
    await seedCustomer(state());
    const idempotency = idempotencyKey('k1');
    const request = reserveRequest(['a1', 'a2'], { idempotency, acceptedAt: subject().now() });
    const admitted = audits({ count: 2 });
    const settle = (body: string) =>
      state().idempotency.settle(CUSTOMER, idempotency, { ...answer, body }, admitted);
    await state().admission.reserve(request);
    // The first attempt's lease expires, a second attempt takes over, and both get an answer.
    await subject().advance(30_000);
    expect(await state().admission.reserve(request)).toMatchObject({ kind: 'begun', takenOver: true });
    const bodies = await Promise.all(['"one"', '"two"'].map(settle));
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
    await subject().reopen();
    await settle('"three"');
    expect(await state().admission.reserve(request)).toMatchObject({ kind: 'replay' });
    expect(await counted()).toMatchObject({ total: 2, since: NOON });
    // The same answer to another request counts separately; an answer without audits counts nothing.
    await state().idempotency.settle(CUSTOMER, idempotencyKey('k2'), { ...answer, body: '"one"' }, admitted);
    await state().idempotency.settle(CUSTOMER, idempotencyKey('k3'), answer);
    expect(await total()).toBe(4);
  });
}
