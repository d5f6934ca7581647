import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { SUBTREES } from '#schemas/tables/tables.ts';
import {
  rootAt,
  type SignalChain,
  signalChain,
  storeChain,
  storeLedgerPosition,
} from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';
import type { LedgerPass } from './pass.ts';
import { passesHere } from './passes.ts';

/** A chunk of 2,048 and a part of the next one. */
const ENTRIES = 2_200;
const MAX_ROWS = 8_192;
/** More rows than one answer may hold. */
const MANY = MAX_ROWS + 500;
/** Copies of every entry that give a chunk more rows than one answer may hold. */
const COPIES = 5;
let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
  // Keep duplicates: merges would remove copies of a row at any time.
  for (const table of ['ledger', 'signals'])
    await world.real.warehouse.command(
      `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
    );
}, 60_000);
afterAll(() => world.close());

async function stored(): Promise<{ readonly customerId: string; readonly chain: SignalChain }> {
  const { id: customerId } = await world.harness.customer();
  const chain = signalChain(customerId, ENTRIES);
  await storeChain(world, customerId, chain);
  return { customerId, chain };
}

/** Copies a stored row `count` times with other values in some columns, like an attacker who writes directly. */
async function copy(
  table: 'ledger' | 'signals',
  { customerId, index }: { readonly customerId: string; readonly index: number },
  columns: string,
  count = MANY,
): Promise<void> {
  await world.real.warehouse.command(
    `INSERT INTO ${table} SETTINGS optimize_on_insert = 0 SELECT * EXCEPT (number) REPLACE (${columns})
     FROM (SELECT * FROM ${table} WHERE customerId = {customerId:String} AND \`index\` = {index:UInt64}) AS one
     CROSS JOIN numbers({count:UInt64}) AS n`,
    { customerId, index, count },
  );
}

const OTHER_ID = "concat('stray-', leftPad(toString(number), 9, '0')) AS auditId";

interface Surroundings {
  readonly warehouse?: Warehouse;
  readonly onProgress?: (checked: number) => void;
}

/** Runs a pass; checks that no answer exceeds its bound, whatever is stored. */
async function verified(pass: LedgerPass, surroundings: Surroundings = {}) {
  const { warehouse = world.real.warehouse, onProgress } = surroundings;
  let largest = 0;
  const query = async <Row>(...all: Parameters<Warehouse['query']>): Promise<Row[]> => {
    const rows = await warehouse.query<Row>(...all);
    largest = Math.max(largest, rows.length);
    return rows;
  };
  const passes = passesHere({ warehouse: { ...warehouse, query }, logEnd: async () => 10 ** 9 });
  const found = await passes.run(pass, {
    gone: new AbortController().signal,
    ...(onProgress ? { onProgress } : {}),
  });
  expect(largest).toBeLessThanOrEqual(MAX_ROWS);
  return found;
}

const whole = (customerId: string): LedgerPass => ({ customerId, from: 0, to: null });

describe('content after the last entry', () => {
  test('is EXTRA in any number, and the chain is still reported', async () => {
    const { customerId, chain } = await stored();
    const seen: number[] = [];
    await copy('signals', { customerId, index: 7 }, `${OTHER_ID}, ${ENTRIES} + number AS \`index\``);
    const found = await verified(whole(customerId), { onProgress: (checked) => void seen.push(checked) });
    expect(found).toMatchObject({
      status: 'INVALID',
      brokenAt: { index: ENTRIES, reason: 'EXTRA' },
      treeSize: ENTRIES,
      checkedEntries: ENTRIES,
      chainHead: chain.ledger.at(-1)!.hash,
      rootHash: rootAt(chain, ENTRIES),
    });
    expect(seen.slice(0, 2)).toEqual([2_048, ENTRIES]);
    expect(new Set(seen.slice(2))).toEqual(new Set([ENTRIES]));
  }, 60_000);

  test('is found after many rows that are still being folded', async () => {
    const { customerId } = await stored();
    // At or above the sink's position, and below the log's end.
    const folding = `${OTHER_ID}, ${ENTRIES} + number AS \`index\`, 1000000 + number AS \`offset\``;
    await copy('signals', { customerId, index: 7 }, folding);
    expect(await verified(whole(customerId))).toMatchObject({ status: 'VALID', treeSize: ENTRIES });
    const stray = ENTRIES + 2 * MANY;
    await copy('signals', { customerId, index: 7 }, `'stray' AS auditId, ${stray} AS \`index\``, 1);
    const found = await verified(whole(customerId));
    expect(found.errors).toEqual([{ index: stray, id: 'stray', reason: 'EXTRA' }]);
  }, 60_000);

  test('at one index, without a ledger, ends the pass too', async () => {
    const { customerId: from } = await stored();
    const { id: customerId } = await world.harness.customer();
    await copy('signals', { customerId: from, index: 7 }, `'${customerId}' AS customerId, ${OTHER_ID}`);
    await storeLedgerPosition(world, customerId, ENTRIES);
    const found = await verified(whole(customerId));
    expect(found).toMatchObject({ status: 'INVALID', brokenAt: { index: 7 }, treeSize: 0, chainHead: null });
  }, 60_000);
});

describe('countless rows at one index', () => {
  const at = 2_100;

  test('with content are a fault of that entry only', async () => {
    const { customerId, chain } = await stored();
    await copy('signals', { customerId, index: at }, OTHER_ID);
    const found = await verified(whole(customerId));
    expect(found.errors).toEqual([{ index: at, id: chain.ledger[at]!.id, reason: 'EXTRA' }]);
    expect(found).toMatchObject({ treeSize: ENTRIES, rootHash: rootAt(chain, ENTRIES) });
    const before = await verified({ customerId, from: 0, to: at - 1 });
    expect(before).toMatchObject({ status: 'VALID', checkedEntries: at });
    const rest = await verified({ customerId, from: at + 1, to: null });
    expect(rest).toMatchObject({ status: 'VALID', checkedEntries: ENTRIES - at - 1 });
  }, 60_000);

  test('are a fault even if they look like copies of the right one, which may hide another', async () => {
    const { customerId, chain } = await stored();
    await copy('signals', { customerId, index: at }, 'model AS model');
    const found = await verified(whole(customerId));
    expect(found.errors).toEqual([{ index: at, id: chain.ledger[at]!.id, reason: 'EXTRA' }]);
  }, 60_000);

  test.each(['hash AS hash', "repeat('ab', 32) AS hash, 0 AS epoch"])(
    'in the ledger are a fault of that entry only: %s',
    async (columns) => {
      const { customerId, chain } = await stored();
      await copy('ledger', { customerId, index: at }, columns);
      const found = await verified(whole(customerId));
      expect(found.errors).toEqual([{ index: at, id: chain.ledger[at]!.id, reason: 'MODIFIED' }]);
      expect(found).toMatchObject({ treeSize: ENTRIES, chainHead: chain.ledger.at(-1)!.hash });
      expect(await verified({ customerId, from: 0, to: at })).toMatchObject({ status: 'INVALID' });
    },
    60_000,
  );

  test('are not a fault if they are unmerged copies of all entries', async () => {
    const { customerId, chain } = await stored();
    for (let times = 1; times < COPIES; times += 1) await storeChain(world, customerId, chain);
    const found = await verified(whole(customerId));
    expect(found).toMatchObject({ status: 'VALID', rootHash: rootAt(chain, ENTRIES) });
    // Chunks then end within subtrees, which are still compared.
    const subtrees = Array.from({ length: Math.floor(ENTRIES / 256) }, (_, index) => {
      const ledger = chain.ledger.slice(index * 256, (index + 1) * 256);
      return { customerId, height: 8, index, hash: rootAt({ ...chain, ledger }, 256) };
    });
    await world.real.insert(SUBTREES, subtrees);
    expect(await verified(whole(customerId))).toMatchObject({ status: 'VALID' });
    const others = subtrees.map((subtree) => ({ ...subtree, hash: 'ab'.repeat(32) }));
    await world.real.insert(SUBTREES, others);
    expect((await verified(whole(customerId))).errors).toEqual(
      subtrees.map(({ index }) => ({ index: index * 256, id: null, reason: 'ROOT_MISMATCH' })),
    );
  }, 60_000);
});

test.each([9_999_999_999, 2 ** 60])(
  'an entry far beyond the ledger costs only a few reads: %d',
  async (index) => {
    const { customerId } = await stored();
    await copy('ledger', { customerId, index: 7 }, `toUInt64(${BigInt(index)}) AS \`index\``, 1);
    const { warehouse, statements } = counted();
    const found = await verified(whole(customerId), { warehouse });
    expect(found.brokenAt).toEqual({ index: ENTRIES, id: null, reason: 'MISSING' });
    expect(statements()).toBeLessThan(40);
  },
  60_000,
);

test.each(['index', `number + ${ENTRIES}`, 'toUInt64(1152921504606846976)'])(
  'rows that claim to be erasures are read in pages, whatever their indexes: %s',
  async (indexes) => {
    const { customerId } = await stored();
    await copy('ledger', { customerId, index: 7 }, `'ERASURE' AS kind, ${indexes} AS \`index\``);
    expect((await verified(whole(customerId))).status).toBe('INVALID');
  },
  60_000,
);

/** The warehouse, and the number of statements it received. */
function counted(): { readonly warehouse: Warehouse; readonly statements: () => number } {
  let statements = 0;
  const { warehouse } = world.real;
  const query: Warehouse['query'] = (...all) => {
    statements += 1;
    return warehouse.query(...all);
  };
  return { warehouse: { ...warehouse, query }, statements: () => statements };
}

test('an intact ledger costs four statements per chunk', async () => {
  const { id: customerId } = await world.harness.customer();
  const chain = signalChain(customerId, 5_000);
  await storeChain(world, customerId, chain);
  const { warehouse, statements } = counted();
  const found = await verified(whole(customerId), { warehouse });
  expect(found).toMatchObject({ status: 'VALID', rootHash: rootAt(chain, 5_000) });
  // Three chunks; the sink's position, the ledger's end, its erasures and the log's epoch.
  expect(statements()).toBe(3 * 4 + 4);
}, 60_000);
