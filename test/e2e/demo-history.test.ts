import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import type { Client } from '../../cli/command/client.ts';
import { type CasProcess, runCas, startCas } from '../helpers/cas-process.ts';
import { customerClient } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** `npm run demo` after `npm start`, as a newcomer types them. */

const DAY_MS = 86_400_000;
const dataDir = temporaryDataDir();
let service: CasProcess;
let client: Client;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startCas(['start'], { DATA_DIR: dataDir, PORT: '0' });
  const key = await eventually('the first start prints a key', 5_000, async () =>
    /cas_[0-9a-f]{48}/.exec(service.output())?.at(0),
  );
  client = customerClient(service.url, key);
  environment = { DATA_DIR: dataDir, PORT: new URL(service.url).port };
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
});

// biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
type Any = any;
const read = async (target: string): Promise<Any> => (await client.request('GET', target)).body;
const countSignals = async (): Promise<number> => (await read('/dashboard/signals?limit=1')).pagination.total;

async function allSignals(): Promise<Any[]> {
  const signals: Any[] = [];
  for (let cursor = ''; ; ) {
    const { data, pagination } = await read(`/dashboard/signals?limit=100${cursor}`);
    signals.push(...data);
    if (pagination.nextCursor === null) return signals;
    cursor = `&cursor=${encodeURIComponent(pagination.nextCursor)}`;
  }
}

test('a demo killed midway is completed by the next one, and a third adds nothing', async () => {
  const killed = spawn(process.execPath, [compiledModule('cli/main.ts'), 'demo'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...environment },
  });
  const closed = once(killed, 'close');
  // There are a few hundred examples; after them the history starts.
  await eventually('the demo is midway', 60_000, async () =>
    (await countSignals()) > 300 ? true : undefined,
  );
  killed.kill('SIGKILL');
  await closed;

  const second = await runCas(['demo'], environment);
  expect([second.code, second.output]).toEqual([0, expect.stringContaining('Everything added up.')]);
  const [, added, planned] = /Added (\d+) of the (\d+) signals/.exec(second.output) ?? [];
  expect(Number(added)).toBeLessThan(Number(planned));
  const total = await countSignals();

  const third = await runCas(['demo'], environment);
  expect([third.code, third.output]).toEqual([0, expect.stringContaining('Nothing was added.')]);
  expect(await countSignals()).toBe(total);
  expect((await read('/evidence/incidents')).data).toHaveLength(6);
  expect((await read('/evidence/policies')).data).toHaveLength(2);
  expect((await read('/evidence/packages')).data).toHaveLength(1);
}, 300_000);

test('the history covers 30 days, mostly clean, in the workspace that the link opens', async () => {
  const signals = await allSignals();
  const past = signals.filter(({ source }) => source === 'INTERNAL');
  const days = new Map<number, number>();
  for (const { createdAt } of past) {
    const day = Math.floor(Date.parse(createdAt) / DAY_MS);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  expect(days.size).toBeGreaterThanOrEqual(28);
  const perDay = (isMeant: (weekday: number) => boolean): number => {
    // 1 January 1970 was a Thursday.
    const meant = [...days].filter(([day]) => isMeant((day + 4) % 7));
    return meant.reduce((sum, [, count]) => sum + count, 0) / meant.length;
  };
  expect(perDay((weekday) => weekday > 0 && weekday < 6)).toBeGreaterThan(
    2 * perDay((weekday) => weekday === 0 || weekday === 6),
  );
  const clean = past.filter(({ violations }) => violations.length === 0);
  expect(clean.length / past.length).toBeGreaterThan(0.75);
  expect(new Set(past.map(({ sandboxSlug }) => sandboxSlug)).size).toBe(3);
  expect(new Set(past.map(({ model }) => model)).size).toBeGreaterThan(5);
});

test('ledger times are not backdated', async () => {
  const past = (await allSignals()).filter(({ source }) => source === 'INTERNAL');
  const startedAt = Date.now() - 600_000;
  for (const { acceptedAt, createdAt } of past) {
    expect(Date.parse(acceptedAt)).toBeGreaterThan(startedAt);
    expect(Date.parse(createdAt)).toBeLessThan(Date.parse(acceptedAt));
  }
  const { data } = await read('/evidence/hash-chain/verify');
  expect(data).toMatchObject({ status: 'VALID', errors: [] });
});

test('incidents have several states, and one is overdue', async () => {
  const { data } = await read('/evidence/incidents');
  const statuses = data.map(({ status }: Any) => status).sort();
  expect(statuses).toEqual(['CLOSED', 'DISMISSED', 'INVESTIGATING', 'OPEN', 'REMEDIATING', 'RESOLVED']);
  const overdue = data.filter(({ dueAt }: Any) => Date.parse(dueAt) < Date.now());
  expect(overdue).toMatchObject([{ status: 'INVESTIGATING' }]);
});

test('contains a burst, a campaign, a failing policy and a passing one', async () => {
  const [run] = (await read('/evidence/correlations?source=RUN')).data;
  const { patterns } = (await read(`/evidence/correlations/${run.id}`)).data;
  const types = patterns.map(({ type }: Any) => type);
  expect(types).toEqual(expect.arrayContaining(['BURST', 'CAMPAIGN']));
  const policies = (await read('/evidence/policies')).data;
  const reports = await Promise.all(
    policies.map(async ({ id }: Any) => (await read(`/evidence/policies/${id}/report`)).data.status),
  );
  expect(reports.sort()).toEqual(['FAIL', 'PASS']);
});
