import { EventEmitter, once } from 'node:events';
import { BUDGET_TEXTS } from '#core/plans/plans.ts';
import { afterEach, beforeEach, expect, test } from '#jest';
import { sandboxVersions, UnknownSandboxVersion } from '#records/sandboxes/sandbox-versions.ts';
import { LEDGER } from '#schemas/topics.ts';
import { emptyWarehouse, type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';
import { archiveRound, KEPT_MS, startArchiver } from './archive-versions.ts';

const DAY_MS = 86_400_000;

let harness: Harness;
let customer: TestCustomer;
/** False: the sink has stored nothing yet. */
let isFolded: boolean;
beforeEach(async () => {
  isFolded = true;
  const warehouse = emptyWarehouse();
  warehouse.query = async <Row>(sql: string, params: Readonly<Record<string, unknown>> = {}) => {
    const position = { epoch: 1, partition: 0 };
    if (!isFolded) return [];
    if (!sql.includes('FROM ledger_ids'))
      return [{ ...position, topic: LEDGER.name, nextOffset: 2 }] as Row[];
    return (params.entryIds as string[]).map((entryId) => ({ ...position, entryId, offset: 1 })) as Row[];
  };
  harness = await startHarness({ warehouse });
  customer = await harness.customer('DEV');
  const payload = { name: 'Support', slug: 'support', sandboxType: 'CUSTOM' };
  await harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
});
afterEach(() => harness.close());

const rename = async (name: string): Promise<string> => {
  const url = '/sandboxes/support';
  const answer = await harness.call({ method: 'PATCH', url, headers: customer.headers, payload: { name } });
  return answer.body.id;
};
const round = () => archiveRound(harness.dependencies, new AbortController().signal);
/** As read by a newly started analyzer. */
const version = (id: string, n: number) => sandboxVersions(harness.state.documents)(customer.id, id, n);

test('an audit in flight and a replay of a dead letter find the version that they name; afterwards it is archived', async () => {
  const id = await rename('Second');
  // A week until it is analysed, two as a dead letter, another week as a replay.
  harness.skew += 28 * DAY_MS;
  expect(await round()).toBe(0);
  expect(await version(id, 1)).toMatchObject({ name: 'Support' });
  harness.skew = KEPT_MS + 1_000;
  isFolded = false;
  expect(await round()).toBe(0);
  isFolded = true;
  expect(await round()).toBe(1);
  await expect(version(id, 1)).rejects.toThrow(UnknownSandboxVersion);
  expect(await version(id, 2)).toMatchObject({ name: 'Second' });
  const payload = { sandbox: 'support', userInput: 'hello' };
  const scan = await harness.call({
    method: 'POST',
    url: '/guardian/scan',
    headers: customer.headers,
    payload,
  });
  expect(scan.status).toBe(200);
  await rename('Third');
  expect(await version(id, 3)).toMatchObject({ name: 'Third' });
});

test('the refusal for lack of storage names the time after which versions are archived', () => {
  expect(KEPT_MS).toBe(30 * DAY_MS);
  expect(BUDGET_TEXTS.storedBytes('DEV', 2 ** 20)).toContain(`${KEPT_MS / DAY_MS} days`);
});

test('a customer whose entries cannot be read does not block others', async () => {
  await rename('Second');
  const other = customer;
  customer = await harness.customer('DEV');
  const payload = { name: 'Support', slug: 'support', sandboxType: 'CUSTOM' };
  await harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
  await rename('Second');
  harness.skew = KEPT_MS + 1_000;
  const { query } = harness.dependencies.warehouse;
  harness.dependencies.warehouse.query = (sql, params, ...rest) => {
    if (params?.customerId === other.id) throw new Error('not now');
    return query(sql, params, ...rest);
  };
  const warnings: unknown[] = [];
  const logger = { info: () => undefined, warn: (details: object) => void warnings.push(details) };
  expect(await archiveRound({ ...harness.dependencies, logger } as never, new AbortController().signal)).toBe(
    1,
  );
  expect(warnings).toEqual([expect.objectContaining({ customerId: other.id })]);
});

test('a round yields between sandboxes, even with nothing to do', async () => {
  customer = await harness.customer('PRO');
  const { id } = customer;
  for (const slug of ['one', 'two', 'three', 'four', 'five']) {
    const payload = { name: slug, slug, sandboxType: 'CUSTOM' };
    const { status } = await harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: customer.headers,
      payload,
    });
    expect([id, status]).toEqual([id, 201]);
  }
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turning = setImmediate(count);
  };
  let turning = setImmediate(count);
  expect(await round()).toBe(0);
  clearImmediate(turning);
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('only one of several processes runs a round', async () => {
  await rename('Second');
  harness.skew = KEPT_MS + 1_000;
  const rounds: unknown[] = [];
  const first = new EventEmitter();
  const info = (details: object): void => {
    rounds.push(details);
    first.emit('round');
  };
  const logger = { warn: () => undefined, info };
  const done = once(first, 'round');
  const options = { ...harness.dependencies, logger, firstAfterMs: 1, intervalMs: 60_000 } as never;
  const archivers = [startArchiver(options), startArchiver(options), startArchiver(options)];
  await done;
  await Promise.all(archivers.map((archiver) => archiver.stop()));
  expect(rounds).toEqual([{ archived: 1 }]);
});
