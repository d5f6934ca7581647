import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANALYZER_CRASH_POINTS } from '#services/analyzer/crash-points.ts';
import {
  API_CRASH_POINTS,
  CHECKPOINT_CRASH_POINTS,
  ERASURE_CRASH_POINTS,
} from '#services/api/crash-points.ts';
import {
  SINK_CRASH_POINTS,
  ERASURE_CRASH_POINTS as SINK_ERASURE_CRASH_POINTS,
} from '#services/sink/crash-points.ts';
import { makeCustomer, makeSandbox } from '../helpers/customer.ts';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';
import { answerAll, auditIdsOf, expectAllFinal, expectErased, expectStored } from './final-look.ts';
import { answersOf, createWork, FAULTS, SLUG, type Work, workUntilEnd } from './work.ts';

const RANDOM_ROUNDS = 10;
/** A named point that is not reached within this time fails its test. */
const ROUND_LIMIT_MS = 40_000;

/** The n-th pass, so that a kill hits a running service and not always its first batch. */
const streams = [...SINK_CRASH_POINTS, ...ANALYZER_CRASH_POINTS].map(
  (point, index) => `${point}:${1 + ((index * 7) % 5)}`,
);
/** Passed once per replay, signal or customer who leaves. */
const requests = API_CRASH_POINTS.map((point, index) => `${point}:${1 + index}`);
/** Checkpoints are made of whatever grew, without being asked for; one that did not fit would be an error in the log. */
const checkpoints = CHECKPOINT_CRASH_POINTS.map((point, index) => `${point}:${1 + index}`);
/** Last: under load the erasures requested in earlier rounds take a minute to get this far. */
const erasures = [...ERASURE_CRASH_POINTS, ...SINK_ERASURE_CRASH_POINTS].map((point) => `${point}:1`);

describe('kill -9 of the whole process tree under mixed load', () => {
  const dataDir = temporaryDataDir();
  let work: Work;

  beforeAll(async () => {
    const service = await startService(dataDir);
    const customer = await makeCustomer(service, 'Kill test');
    await makeSandbox(customer.client, SLUG);
    work = createWork(customer.id, customer.key);
    await service.killTree();
  }, 60_000);
  afterAll(() => removeDataDir(dataDir));

  const round = async (
    name: string,
    environment: Record<string, string>,
    killAfterMs: number,
  ): Promise<boolean> => {
    const before = work.requests.answered.size;
    const service = await startService(dataDir, { ...FAULTS, ...environment });
    const working = workUntilEnd(work, service, name);
    let fromOutside = false;
    const timer = setTimeout(() => {
      fromOutside = true;
      void service.killTree();
    }, killAfterMs);
    await service.ended;
    clearTimeout(timer);
    await service.killTree();
    await working;
    expect(service.output()).not.toMatch(/"level":(50|60)/);
    expect(work.requests.answered.size).toBeGreaterThanOrEqual(before);
    return !fromOutside;
  };
  const atPoint = async (point: string): Promise<void> => {
    const name = `at-${point.replaceAll(/[^a-z]/g, '')}`;
    expect(await round(name, { CRASH_AT: point }, ROUND_LIMIT_MS)).toBe(true);
  };

  test.each([...streams, ...requests, ...checkpoints])('at %s', atPoint);

  test.each(Array.from({ length: RANDOM_ROUNDS }, (_, number) => number))(
    'at a random moment, %i',
    async (number) => {
      await round(`random-${number}`, {}, 300 + Math.random() * 3_000);
    },
  );

  test.each(erasures)('at %s', atPoint);

  test('then: one final state per 202, what was asked for is in the ledger once, who left is gone, chains VALID', async () => {
    const service = await startService(dataDir, FAULTS);
    try {
      await answerAll(work, service);
      const { verification, sandboxId, version } = await expectAllFinal(work, service);
      await expectErased(work, service);
      const kills = streams.length + requests.length + checkpoints.length + erasures.length;
      const count = (kind: 'failing' | 'signal' | 'newKey'): number => answersOf(work, kind).length;
      process.stdout.write(
        `kills: ${kills} at named points, ${RANDOM_ROUNDS} at random; ${auditIdsOf(work).size} audits, of them ${count('failing')} that failed first (${work.replays} replays answered) and ${count('signal')} of the platform; ${version} versions of the sandbox, ${count('newKey')} keys made and revoked, ${work.leaving.length} customers erased\n`,
      );
      expect(await service.stop()).toBe(0);
      await expectStored(work, dataDir, { sandboxId, version, treeSize: verification.treeSize });
    } finally {
      await service.killTree();
    }
  }, 600_000);
});
