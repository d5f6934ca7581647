import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { ANALYZER_CRASH_POINTS } from '#services/analyzer/crash-points.ts';
import {
  API_CRASH_POINTS,
  CHECKPOINT_CRASH_POINTS,
  ERASURE_CRASH_POINTS,
  OUTBOX_CRASH_POINT,
  PACKAGE_CRASH_POINTS,
  RETENTION_CRASH_POINTS,
  SIGNAL_ERASURE_CRASH_POINTS,
} from '#services/api/crash-points.ts';
import { CORRELATOR_CRASH_POINTS } from '#services/correlator/crash-points.ts';
import {
  SINK_CRASH_POINTS,
  ERASURE_CRASH_POINTS as SINK_ERASURE_CRASH_POINTS,
} from '#services/sink/crash-points.ts';
import { StartFailed } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox } from '../helpers/customer.ts';
import { lookInside } from '../helpers/look-inside.ts';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';
import { expectEvidenceStored, expectSwept, settleEvidence } from './evidence-look.ts';
import { createEvidenceWork } from './evidence-work.ts';
import { answerAll, auditIdsOf, expectAllFinal, expectErased, expectStored } from './final-look.ts';
import { answersOf, createWork, FAULTS, SLUG, type Work, workUntilEnd } from './work.ts';

const RANDOM_ROUNDS = 4;
/** A named point that is not reached within this time fails its test. */
const ROUND_LIMIT_MS = 90_000;
/** What is shown of the service's output when what it left is not what it should be. */
const LAST_OUTPUT_CHARACTERS = 4_000;

/** Nothing happens between the end of a step and the beginning of the next one: one kill stands for both. */
const [firstOfSink, ...sinkPoints] = SINK_CRASH_POINTS;
const sinkSteps = [firstOfSink, ...sinkPoints.filter((point) => point.includes('.after-'))];
/** The n-th pass, so that a kill hits a running service and not always its first batch. */
const streams = [...sinkSteps, ...ANALYZER_CRASH_POINTS].map(
  (point, index) => `${point}:${1 + ((index * 7) % 5)}`,
);
/** Between these and the points that follow or precede them nothing is written. */
const NEIGHBOURS = ['policies.before-incident', 'policies.after-progress', 'policies.after-commit'];
/** Passed once per replay, signal or customer who leaves. */
const requests = [...API_CRASH_POINTS, OUTBOX_CRASH_POINT].map((point, index) => `${point}:${1 + index}`);
/** Of policies, retention and packages: reached by the customer whose evidence is worked on. Patterns: `patterns.test.ts`. */
const evidence = [
  ...CORRELATOR_CRASH_POINTS.filter((point) => point.startsWith('policies.') && !NEIGHBOURS.includes(point)),
  ...RETENTION_CRASH_POINTS,
  ...PACKAGE_CRASH_POINTS,
  ...SIGNAL_ERASURE_CRASH_POINTS,
].map((point) => `${point}:1`);
/** Checkpoints are made of whatever grew, without being asked for; one that did not fit would be an error in the log. */
const checkpoints = CHECKPOINT_CRASH_POINTS.map((point, index) => `${point}:${1 + index}`);
/** Last: under load the erasures requested in earlier rounds take a minute to get this far. */
const erasures = [...ERASURE_CRASH_POINTS, ...SINK_ERASURE_CRASH_POINTS].map((point) => `${point}:1`);

describe('kill -9 of the whole process tree under mixed load', () => {
  const dataDir = temporaryDataDir();
  const { packages } = dataFolder(dataDir);
  let work: Work;

  beforeAll(async () => {
    const service = await startService(dataDir);
    const customer = await makeCustomer(service, 'Kill test');
    await makeSandbox(customer.client, SLUG);
    work = createWork(customer.id, customer.key, await createEvidenceWork(service));
    await service.killTree();
  }, 60_000);
  afterAll(() => removeDataDir(dataDir));

  const round = async (
    name: string,
    environment: Record<string, string>,
    killAfterMs: number,
    isLight = false,
  ): Promise<boolean> => {
    const before = work.requests.answered.size;
    const service = await startService(dataDir, { ...FAULTS, ...environment }).catch((error: unknown) => {
      // What an earlier round left to be done may reach the point before the service is ready.
      const isKilled = error instanceof StartFailed && error.failure.code === null;
      if (isKilled && 'CRASH_AT' in environment) return null;
      throw error;
    });
    if (service === null) return true;
    const working = workUntilEnd(work, service, name, { isLight });
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
  const atPoint = async (point: string, isLight = false): Promise<void> => {
    const name = `at-${point.replaceAll(/[^a-z]/g, '')}`;
    expect(await round(name, { CRASH_AT: point }, ROUND_LIMIT_MS, isLight)).toBe(true);
  };

  // First, while little waits to be analysed and stored: these points are behind several steps of one customer.
  test.each(evidence)('at %s', (point) => atPoint(point, true));

  test.each([...streams, ...requests, ...checkpoints])('at %s', (point) => atPoint(point));

  test.each(Array.from({ length: RANDOM_ROUNDS }, (_, number) => number))(
    'at a random moment, %i',
    async (number) => {
      await round(`random-${number}`, {}, 300 + Math.random() * 3_000);
    },
  );

  test.each(erasures)('at %s', (point) => atPoint(point));

  test('then: one final state per 202, what was asked for is in the ledger once, who left is gone, chains VALID', async () => {
    let service = await startService(dataDir, FAULTS);
    try {
      const unanswered = work.requests.unanswered.size;
      await answerAll(work, service);
      const settled = await settleEvidence(work.evidence, service);
      const { verification, sandboxId, version } = await expectAllFinal(work, service);
      await expectErased(work, service);
      const kills = [streams, requests, checkpoints, evidence, erasures].flat().length;
      const count = (kind: 'failing' | 'signal' | 'newKey'): number => answersOf(work, kind).length;
      process.stdout.write(
        `kills: ${kills} at named points, ${RANDOM_ROUNDS} at random; ${auditIdsOf(work).size} audits, of them ${count('failing')} that failed first (${work.replays} replays answered) and ${count('signal')} of the platform; ${unanswered} requests were unanswered at the end; ${version} versions of the sandbox, ${count('newKey')} keys made and revoked, ${work.leaving.length} customers erased\n`,
      );
      expect(await service.stop()).toBe(0);
      service = await startService(dataDir, FAULTS);
      const swept = await expectSwept(work.evidence, packages, service);
      expect(await service.stop()).toBe(0);
      await lookInside(dataDir, async ({ warehouse, verify }) => {
        expect((await verify(work.evidence.customerId)).status).toBe('VALID');
        await expectEvidenceStored(work.evidence, packages, warehouse, { ...settled, packages: swept });
      });
      await expectStored(work, dataDir, { sandboxId, version, treeSize: verification.treeSize });
    } catch (error) {
      process.stdout.write(`the service said last:\n${service.output().slice(-LAST_OUTPUT_CHARACTERS)}\n`);
      throw error;
    } finally {
      await service.killTree();
    }
  }, 600_000);
});
