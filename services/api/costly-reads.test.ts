import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '#jest';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import {
  type Answered,
  emptyWarehouse,
  type Harness,
  startHarness,
  type TestCustomer,
} from './testing/harness.ts';

/** One customer sends many expensive requests at once, next to others. */

let harness: Harness;

interface Held {
  readonly customerId: unknown;
  answer(): void;
}

/** A warehouse that records callers and answers on the test's command. */
async function start() {
  const held: Held[] = [];
  let isOpen = false;
  const warehouse: Warehouse = {
    ...emptyWarehouse(),
    query: (async (_sql: string, params: { customerId?: string } = {}) => {
      if (!isOpen && params.customerId !== undefined)
        await new Promise<void>((answer) => held.push({ customerId: params.customerId, answer }));
      return [];
    }) as Warehouse['query'],
  };
  harness = await startHarness({ warehouse });
  return {
    of: (customerId: string): number => held.filter((one) => one.customerId === customerId).length,
    answerAll: (): void => {
      isOpen = true;
      for (const { answer } of held) answer();
    },
  };
}

/** Every request has reached the warehouse, or its queue. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 300; round++) await turn();
};

const COSTLY = ROUTES.filter(({ costly }) => costly === 'read').map(({ path }) => path);
const TILES = [
  '/dashboard/stats',
  '/dashboard/books',
  '/dashboard/timeseries?interval=minute',
  '/dashboard/timeseries?interval=hour',
  '/dashboard/timeseries?interval=day',
  '/dashboard/signals?riskLevel=HIGH',
  '/dashboard/signals?violation=EMAIL',
  '/audits?status=FAILED',
  '/dead-letters',
];

test('expensive reads are those that scan a history in the warehouse', () => {
  expect(COSTLY.sort()).toEqual([
    '/auditor/attestations',
    '/auditor/attestations/coverage',
    '/auditor/hash-chain/checkpoint',
    '/auditor/hash-chain/proofs/consistency',
    '/auditor/hash-chain/proofs/inclusion',
    '/auditor/incidents',
    '/auditor/incidents/:id',
    '/auditor/signals',
    '/audits',
    '/dashboard/books',
    '/dashboard/signals',
    '/dashboard/signals/:id',
    '/dashboard/stats',
    '/dashboard/timeseries',
    '/dead-letters',
    '/dead-letters/reasons',
    '/evidence/attestations',
    '/evidence/attestations/coverage',
    '/evidence/correlations',
    '/evidence/correlations/:id',
    '/evidence/hash-chain/checkpoint',
    '/evidence/hash-chain/proofs/consistency',
    '/evidence/hash-chain/proofs/inclusion',
    '/evidence/incidents',
    '/evidence/incidents/:id',
    '/evidence/packages',
    '/evidence/policies/:id/report',
    '/evidence/retention/erasures/:id',
    '/evidence/retention/status',
    '/sandboxes/:id/versions',
    '/sandboxes/:id/versions/:version',
  ]);
});

describe('expensive reads', () => {
  afterEach(() => harness.close());

  test('of one customer run two at a time however many it sends, and another customer gets its turn', async () => {
    const { of, answerAll } = await start();
    const noisy = await harness.customer();
    const other = await harness.customer();
    const id = harness.dependencies.newId(Date.now());
    const urls = [...TILES, `/audits/${id}`, `/dashboard/signals/${id}`];
    const asked = Array.from({ length: 100 }, (_, index) =>
      harness.call({ url: urls[index % urls.length]!, headers: noisy.headers }),
    );
    await settled();
    expect(of(noisy.id)).toBe(2);
    const good = harness.call({ url: '/dashboard/signals', headers: other.headers });
    await settled();
    expect(of(other.id)).toBe(1);
    answerAll();
    expect((await good).status).toBe(200);
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 404]);
  });

  test('of a dashboard with several tiles are all answered', async () => {
    const { answerAll } = await start();
    const customer = await harness.customer();
    const tiles = TILES.map((url) => harness.call({ url, headers: customer.headers }));
    await settled();
    answerAll();
    expect((await Promise.all(tiles)).map(({ status }) => status)).toEqual(TILES.map(() => 200));
  });

  test('beyond the queue are refused with Retry-After, only for the customer that sent them', async () => {
    const { answerAll } = await start();
    const noisy = await harness.customer();
    const other = await harness.customer();
    const asked = Array.from({ length: 250 }, () =>
      harness.call({ url: '/dashboard/stats', headers: noisy.headers }),
    );
    await settled();
    const good = TILES.map((url) => harness.call({ url, headers: other.headers }));
    await settled();
    answerAll();
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(48);
    for (const { status, body, headers } of refused) {
      expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY_AT_ONCE', '1']);
    }
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual(TILES.map(() => 200));
  });
});

describe('verifications', () => {
  afterEach(() => harness.close());

  const verify = (headers: Readonly<Record<string, string>>): Promise<Answered> =>
    harness.call({ url: '/evidence/hash-chain/verify', headers });

  test('of one customer run one after the other, while another customer verifies', async () => {
    const { of, answerAll } = await start();
    const noisy = await harness.customer();
    const other = await harness.customer();
    const asked = Array.from({ length: 400 }, () => verify(noisy.headers));
    await settled();
    expect(of(noisy.id)).toBe(1);
    const good = verify(other.headers);
    await settled();
    expect(of(other.id)).toBe(1);
    answerAll();
    expect((await good).status).toBe(200);
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const { status, body, headers } = answers.find((answer) => answer.status !== 200)!;
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY_AT_ONCE', '5']);
  });
});

describe('replays', () => {
  afterEach(() => harness.close());

  const replay = (headers: TestCustomer['headers']) =>
    harness.call({ method: 'POST', url: '/dead-letters/replay', headers, payload: { filter: {} } });

  test('hold large records in memory, so one runs per customer and two in total', async () => {
    const { of, answerAll } = await start();
    const [noisy, other, third] = [
      await harness.customer(),
      await harness.customer(),
      await harness.customer(),
    ];
    const id = harness.dependencies.newId(Date.now());
    const one = { method: 'POST', url: `/dead-letters/${id}/replay`, headers: noisy.headers } as const;
    const asked = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? replay(noisy.headers) : harness.call(one),
    );
    await settled();
    const others = [replay(other.headers), replay(third.headers)];
    await settled();
    expect([of(noisy.id), of(other.id), of(third.id)]).toEqual([1, 1, 0]);
    answerAll();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([202, 202]);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toEqual(asked.map((_, index) => (index % 2 === 0 ? 202 : 404)));
  });

  test('beyond the queue are refused, only for the customer that sent them', async () => {
    const { answerAll } = await start();
    const noisy = await harness.customer();
    const other = await harness.customer();
    const asked = Array.from({ length: 60 }, () => replay(noisy.headers));
    await settled();
    const good = replay(other.headers);
    await settled();
    answerAll();
    const refused = (await Promise.all(asked)).filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(9);
    for (const { body } of refused) expect(body.code).toBe('TOO_MANY_AT_ONCE');
    expect((await good).status).toBe(202);
  });
});
