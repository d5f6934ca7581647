import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from '#jest';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { API_KEYS, apiKeyClaim, type State } from '../port.ts';
import {
  CUSTOMER,
  customer,
  idempotencyKey,
  KEY_HASH,
  KEY_ID,
  NOON,
  putCustomer,
  reserveRequest,
  seedCustomer,
} from '../testing/contract-seed.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';
import { fullBucket, type TokenBucket, takeTokens } from '../token-bucket.ts';

describeOn('redis', 'states of several processes on one Redis', (url) => {
  let bench: RedisBench;
  let keyPrefix: string;
  let first: State;
  let second: State;
  beforeEach(async () => {
    bench = redisBench();
    keyPrefix = `test-${randomUUID()}:`;
    [first, second] = await Promise.all([bench.state(url, { keyPrefix }), bench.state(url, { keyPrefix })]);
  });
  afterEach(async () => {
    const redis = bench.client(url);
    for await (const keys of redis.scanStream({ match: `${keyPrefix}*`, count: 1_000 }))
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    await bench.close();
  });
  const nodes = (count: number): State[] => Array.from({ length: count }, (_, n) => (n % 2 ? first : second));

  test('several processes together accept exactly the quota', async () => {
    await seedCustomer(first, { auditQuota: 500 });
    const outcomes = await Promise.all(
      nodes(300).map((state, n) => state.admission.reserve(reserveRequest([`a${n}`, `b${n}`]))),
    );
    const items = outcomes.flatMap((outcome) => (outcome.kind === 'begun' ? outcome.seed.items : []));
    expect(items).toHaveLength(600);
    expect(items.filter((item) => 'auditId' in item)).toHaveLength(500);
    expect(await second.admission.auditCount(CUSTOMER, NOON)).toBe(500);
  });

  test('an idempotency key starts one attempt, and all processes return the same answer', async () => {
    await seedCustomer(first);
    const idempotency = idempotencyKey('k');
    const outcomes = await Promise.all(
      nodes(100).map((state, n) => state.admission.reserve(reserveRequest([`a${n}`], { idempotency }))),
    );
    expect(outcomes.filter(({ kind }) => kind === 'begun')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'inFlight')).toHaveLength(99);
    const answers = await Promise.all(
      [first, second].map((state, n) =>
        state.idempotency.settle(CUSTOMER, idempotency, { statusCode: 202, body: `${n}` }),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test('all processes share one burst', async () => {
    await seedCustomer(first, { ratePerSecond: 1e-9, burst: 50 });
    const outcomes = await Promise.all(nodes(120).map((state) => state.admission.authenticate(KEY_HASH)));
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(50);
    expect(outcomes.filter(({ outcome }) => outcome === 'limited')).toHaveLength(70);
  });

  test('a new key works, and a revoked key fails, everywhere with the next request', async () => {
    expect(await first.admission.authenticate(KEY_HASH)).toEqual({ outcome: 'unknown' });
    await seedCustomer(second);
    expect(await first.admission.authenticate(KEY_HASH)).toMatchObject({ outcome: 'admitted' });
    const revoked = { collection: API_KEYS, id: KEY_ID, value: { status: 'revoked' } };
    await second.documents.write(CUSTOMER, [revoked]);
    expect(await first.admission.authenticate(KEY_HASH)).toEqual({ outcome: 'unknown' });
  });

  test('of concurrent claims exactly one succeeds', async () => {
    const outcomes = await Promise.all(
      nodes(20).map((state, n) =>
        state.documents.write(
          `c${n}`,
          [{ collection: API_KEYS, id: 'k', value: { status: 'active' } }],
          [{ name: apiKeyClaim('ff'), value: { keyId: 'k', customerId: `c${n}` } }],
        ),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const held = await first.documents.claimed<{ customerId: string }>(apiKeyClaim('ff'));
    const owner = outcomes.findIndex(({ ok }) => ok);
    expect(held).toEqual({ keyId: 'k', customerId: `c${owner}` });
  });

  test('the server’s clock counts, and every expiring key has a TTL', async () => {
    await seedCustomer(first);
    const redis = bench.client(url);
    const [seconds] = await redis.time();
    const idempotency = idempotencyKey('k');
    const authenticated = await first.admission.authenticate(KEY_HASH);
    if (authenticated.outcome === 'unknown') throw new Error('the key is not known');
    expect(Math.abs(authenticated.rate.resetAt - Number(seconds) * 1_000)).toBeLessThan(10_000);
    await first.admission.reserve(reserveRequest(['a1'], { idempotency }));
    await first.expiring.set('lease', 'x', 5_000);
    const lives: Record<string, number> = {};
    for (const key of await redis.keys(`${keyPrefix}*`))
      lives[key.slice(keyPrefix.length).split(':')[0]!] = await redis.pttl(key);
    const forever = Object.entries(lives).flatMap(([kind, ms]) => (ms === -1 ? [kind] : []));
    expect(forever.sort()).toEqual(['claim', 'counts', 'doc', 'ids', 'last-used']);
    expect(lives.mark).toBeGreaterThan(2 * 3_600_000);
    expect(lives.attempts).toBeGreaterThan(24 * 3_600_000);
    expect(lives.expiring).toBeGreaterThan(5_000);
  });

  test('its token bucket gives the same results as the embedded one', async () => {
    let at = NOON;
    const redis = bench.client(url);
    const state = await bench.state(url, { keyPrefix, now: () => at });
    const sizes = fc.record({
      ratePerSecond: fc.oneof(
        fc.integer({ min: 0, max: 5_000 }),
        fc.double({ min: 1e-9, max: 5_000, noNaN: true }),
      ),
      burst: fc.integer({ min: 1, max: 10_000 }),
    });
    const steps = fc.array(
      fc.record({ waitMs: fc.integer({ min: -500, max: 5_000 }), cost: fc.integer({ min: 0, max: 30 }) }),
      { maxLength: 100 },
    );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(sizes, sizes, steps, async (size, later, calls) => {
        const id = `${CUSTOMER}-${runs++}`;
        const put = (value: typeof size) =>
          state.documents.write(id, [{ collection: 'customers', id, value: customer(value) }]);
        at = NOON;
        const held = { bucket: null as TokenBucket | null };
        const compare = async (now: typeof size, part: typeof calls) => {
          await put(now);
          const given: Promise<unknown>[] = [];
          const expected: unknown[] = [];
          for (const { waitMs, cost } of part) {
            at += waitMs;
            // A bucket that was never used is full.
            const taken = takeTokens(held.bucket ?? fullBucket(now, at), now, cost, at);
            held.bucket = taken.bucket;
            expected.push(taken.rate);
            given.push(state.admission.takeRate(id, cost));
          }
          expect(await Promise.all(given)).toEqual(expected);
        };
        await compare(size, calls.slice(0, 60));
        await compare(later, calls.slice(60));
        const stored = await redis.hmget(`${keyPrefix}bucket:{${id}}`, 'milliTokens', 'refilledAt');
        const { bucket } = held;
        if (bucket !== null) expect(stored.map(Number)).toEqual([bucket.milliTokens, bucket.refilledAt]);
      }),
      { numRuns: 150 },
    );
  });

  test('the charge does not depend on how a customer’s numbers are written', async () => {
    await putCustomer(first, customer({ ratePerSecond: 0.1 + 0.2, burst: 1e15, auditQuota: 2 ** 53 - 1 }));
    expect(await second.admission.takeRate(CUSTOMER, 1)).toMatchObject({ limit: 1e15, remaining: 1e15 - 1 });
  });
});
