import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { LOG_EPOCHS } from '#schemas/tables/tables.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { PART_DAMAGE, partsOf } from '../../testing/damage-part.ts';
import { internalHeaders } from '../../testing/harness.ts';
import { type SignalChain, signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

/** Each failing statement costs the embedded engine a session. */
const LONG_MS = 180_000;
const HALF = 300;
const SIZE = 560;

interface Ledger {
  readonly customerId: string;
  readonly chain: SignalChain;
  get(url: string): ReturnType<StoredWorld['harness']['call']>;
}

/** A ledger in two parts of each table: the first 300 entries, and the rest. */
async function storedLedger(): Promise<Ledger> {
  await world.real.clear();
  const customer = await world.harness.customer();
  const chain = signalChain(customer.id, SIZE);
  const first = { ledger: chain.ledger.slice(0, HALF), signals: chain.signals.slice(0, HALF) };
  await storeChain(world, customer.id, { ...chain, ...first });
  await storeChain(world, customer.id, chain, HALF);
  await growTree(world.real.warehouse, customer.id, SIZE);
  return {
    customerId: customer.id,
    chain,
    get: (url) => world.harness.call({ url, headers: customer.headers }),
  };
}

const damagePart = async (table: string, damage: (part: never) => void, n = 0): Promise<void> => {
  const parts = await partsOf(world.real.warehouse, table);
  expect(parts.map(({ rows }) => rows)).toEqual([HALF, SIZE - HALF]);
  damage(parts[n]! as never);
};

const isDamaged = {
  status: 500,
  body: { code: 'DATA_DAMAGED', error: 'Internal Server Error' },
};

const CASES: readonly (readonly [string, string])[] = [
  ...Object.keys(PART_DAMAGE).map((what) => ['ledger', what] as const),
  // Without a part's folder the engine answers no statement about signals at all.
  ['signals', 'a flipped bit'],
];

test.each(CASES)(
  'damage in the table %s (%s) is reported with its range, and the rest is verified',
  async (table, what) => {
    const { get } = await storedLedger();
    await damagePart(table, PART_DAMAGE[what]!);
    const range = { index: 0, toIndex: HALF - 1, id: null, reason: 'DAMAGED' };
    const { status, body } = await get('/evidence/hash-chain/verify');
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(body.data).toMatchObject({
      valid: false,
      status: 'INVALID',
      treeSize: SIZE,
      verifiedFrom: HALF,
      verifiedTo: SIZE - 1,
      checkedEntries: SIZE - HALF,
      brokenAt: range,
      errors: [range],
    });
    const part = await get('/evidence/hash-chain/verify?mode=range&fromIndex=520&toIndex=530');
    expect(part.body.data).toMatchObject({ status: 'VALID', verifiedFrom: 512, verifiedTo: 559 });
  },
  LONG_MS,
);

test(
  'an operator sees what is lost, and whether the log still holds it',
  async () => {
    const { customerId } = await storedLedger();
    await world.real.insert(LOG_EPOCHS, [{ epoch: 1, setUp: 'test', at: new Date(0).toISOString() }]);
    await damagePart('ledger', PART_DAMAGE['a flipped bit']!, 1);
    const { body } = await world.harness.call({
      url: `/internal/customers/${customerId}/damage`,
      headers: internalHeaders,
    });
    expect(body.data).toMatchObject([
      { reason: 'DAMAGED', fromIndex: HALF, toIndex: SIZE - 1, fromOffset: HALF * 10, isInLog: true },
    ]);
  },
  LONG_MS,
);

test(
  'damage of the last entries is found',
  async () => {
    const { get } = await storedLedger();
    await damagePart('ledger', PART_DAMAGE['a flipped bit']!, 1);
    expect((await get('/evidence/hash-chain/verify')).body.data).toMatchObject({
      status: 'INVALID',
      treeSize: SIZE,
      errors: [{ index: HALF, toIndex: SIZE - 1, reason: 'DAMAGED' }],
    });
  },
  LONG_MS,
);

test(
  'reads of damaged rows get their own error without Retry-After, others are answered',
  async () => {
    const { chain, get } = await storedLedger();
    await damagePart('signals', PART_DAMAGE['a flipped bit']!);
    const [lost, kept] = [chain.signals[3]!.auditId, chain.signals[HALF + 3]!.auditId];
    for (const url of [
      `/dashboard/signals/${lost}`,
      '/dashboard/signals?limit=5&endDate=2026-01-01T00:04:00.000Z',
    ]) {
      const answer = await get(url);
      expect(answer).toMatchObject(isDamaged);
      expect(answer.headers['retry-after']).toBeUndefined();
    }
    expect(await get(`/dashboard/signals/${kept}`)).toMatchObject({ status: 200 });
  },
  LONG_MS,
);

describe('a ledger that lacks an entry', () => {
  const withoutEntry = async (index: number): Promise<Ledger> => {
    const ledger = await storedLedger();
    await world.real.warehouse.command(
      `ALTER TABLE ledger DELETE WHERE \`index\` = ${index} SETTINGS mutations_sync = 2`,
    );
    return ledger;
  };

  test(
    'outside any subtree gets no checkpoint and no proof, and is reported as damaged',
    async () => {
      const { get } = await withoutEntry(550);
      for (const url of ['checkpoint', 'proofs/consistency?fromSize=100']) {
        const answer = await get(`/evidence/hash-chain/${url}`);
        expect(answer).toMatchObject(isDamaged);
        expect(answer.headers['retry-after']).toBeUndefined();
      }
      expect((await get('/evidence/hash-chain/verify')).body.data).toMatchObject({
        brokenAt: { index: 550, reason: 'MISSING' },
      });
    },
    LONG_MS,
  );

  test(
    'and the subtree above it is damaged, not lagging',
    async () => {
      const { get } = await withoutEntry(100);
      await world.real.warehouse.command(
        'ALTER TABLE subtrees DELETE WHERE `index` = 0 SETTINGS mutations_sync = 2',
      );
      expect(await get('/evidence/hash-chain/checkpoint')).toMatchObject(isDamaged);
    },
    LONG_MS,
  );

  test(
    'and only lacks a subtree gets it restored by the sink',
    async () => {
      const { get } = await storedLedger();
      await world.real.warehouse.command(
        'ALTER TABLE subtrees DELETE WHERE `index` = 0 SETTINGS mutations_sync = 2',
      );
      expect(await get('/evidence/hash-chain/checkpoint')).toMatchObject({ status: 503 });
    },
    LONG_MS,
  );
});
