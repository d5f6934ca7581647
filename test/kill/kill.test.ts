import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANALYZER_CRASH_POINTS } from '../../services/analyzer/crash-points.ts';
import { SINK_CRASH_POINTS } from '../../services/sink/crash-points.ts';
import { customerClient, makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectWhole, finalStatuses } from '../helpers/final-state.ts';
import { createLoad, type Load, sendOne } from '../helpers/load.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

const SLUG = 'kill-test';
const WORKERS = 12;
const RANDOM_ROUNDS = 10;
/** A named point that is not reached by then fails its test. */
const ROUND_LIMIT_MS = 20_000;

const points = [...SINK_CRASH_POINTS, ...ANALYZER_CRASH_POINTS];
/** The n-th pass, so that a kill falls into a running service and not always into its first batch. */
const named = points.map((point, index) => `${point}:${1 + ((index * 7) % 5)}`);

/** Load until the service ends: new keys, and again those that got no answer before. */
async function loadUntilEnd(
  service: TestService,
  customer: TestCustomer,
  load: Load,
  round: string,
): Promise<void> {
  let ended = false;
  void service.ended.then(() => {
    ended = true;
  });
  const again = [...load.unanswered];
  let next = 0;
  const worker = async (name: number): Promise<void> => {
    while (!ended) {
      const key = again.pop() ?? `${round}-w${name}-${next++}`;
      await sendOne(load, service.url, customer.key, SLUG, key);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, name) => worker(name)));
}

describe('kill -9 of the whole process tree under load', () => {
  const dataDir = temporaryDataDir();
  const load = createLoad();
  let customer: TestCustomer;

  beforeAll(async () => {
    const service = await startService(dataDir);
    customer = await makeCustomer(service, 'Kill test');
    await makeSandbox(customer.client, SLUG);
    await service.killTree();
  }, 60_000);
  afterAll(() => removeDataDir(dataDir));

  const round = async (
    name: string,
    environment: Record<string, string>,
    killAfterMs: number,
  ): Promise<boolean> => {
    const before = load.accepted.size;
    const service = await startService(dataDir, environment);
    const loading = loadUntilEnd(service, customer, load, name);
    let fromOutside = false;
    const timer = setTimeout(() => {
      fromOutside = true;
      void service.killTree();
    }, killAfterMs);
    await service.ended;
    clearTimeout(timer);
    await service.killTree();
    await loading;
    expect(service.output()).not.toMatch(/"level":(50|60)/);
    expect(load.accepted.size).toBeGreaterThanOrEqual(before);
    return !fromOutside;
  };

  test.each(named)('at %s', async (point) => {
    const name = `at-${point.replaceAll(/[^a-z]/g, '')}`;
    expect(await round(name, { CRASH_AT: point }, ROUND_LIMIT_MS)).toBe(true);
  });

  test.each(Array.from({ length: RANDOM_ROUNDS }, (_, number) => number))(
    'at a random moment, %i',
    async (number) => {
      await round(`random-${number}`, {}, 300 + Math.random() * 3_000);
    },
  );

  test('then: one final state per 202, one index per signal, the chain VALID', async () => {
    const service = await startService(dataDir);
    try {
      const client = customerClient(service.url, customer.key);
      await eventually('every request is answered', 120_000, async () => {
        for (const key of [...load.unanswered]) await sendOne(load, service.url, customer.key, SLUG, key);
        return load.unanswered.size === 0 ? true : undefined;
      });
      const auditIds = new Set(load.accepted.values());
      expect(auditIds.size).toBe(load.accepted.size);
      const statuses = await finalStatuses(client, auditIds, 300_000);
      expect([...statuses.values()].filter((status) => status === 'FAILED')).toEqual([]);
      const verification = await expectWhole(client, auditIds);
      // Beside the signals: one KEY_EVENT and one POLICY_EVENT of the set-up.
      expect(verification.treeSize).toBe(auditIds.size + 2);
      expect(verification.checkedEntries).toBe(verification.treeSize);
      process.stdout.write(
        `kills: ${named.length} at named points, ${RANDOM_ROUNDS} at random; ${auditIds.size} audits accepted\n`,
      );
    } finally {
      expect(await service.stop()).toBe(0);
    }
  }, 600_000);
});
