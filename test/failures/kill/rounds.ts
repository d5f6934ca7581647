import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { StartFailed } from '../../helpers/cas-process.ts';
import { makeCustomer, makeSandbox } from '../../helpers/customer.ts';
import { inspectStores } from '../../helpers/inspect-stores.ts';
import { removeDataDir, startService, temporaryDataDir } from '../../helpers/service.ts';
import { expectEvidenceStored, expectSwept, settleEvidence } from './evidence-checks.ts';
import { createEvidenceWork } from './evidence-work.ts';
import { answerAll, auditIdsOf, expectAllFinal, expectErased, expectStored } from './final-checks.ts';
import { answersOf, createWork, FAULTS, SLUG, type Work, workUntilEnd } from './work.ts';

/** A named point must be reached within this time. */
const ROUND_LIMIT_MS = 90_000;
/** Length of the service output shown when a check at the end fails. */
const LAST_OUTPUT_CHARACTERS = 4_000;

/** Crash points with the number of the pass that kills, in the order they are reached. */
interface Rounds {
  /** Points hit while little waits to be analysed and stored. */
  readonly light?: readonly string[];
  readonly loaded?: readonly string[];
  /** Number of kills at random moments, before the last ones. */
  readonly random: number;
  readonly last?: readonly string[];
}

/** Kills and restarts the service at every point, and finally checks the result of everything sent. */
export const describeKills = ({ light = [], loaded = [], random, last = [] }: Rounds): void =>
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
        // Work left by an earlier round may reach the point before the service is ready.
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

    if (light.length > 0) test.each(light)('at %s', (point) => atPoint(point, true));

    if (loaded.length > 0) test.each(loaded)('at %s', (point) => atPoint(point));

    test.each(Array.from({ length: random }, (_, number) => number))(
      'at a random moment, %i',
      async (number) => {
        await round(`random-${number}`, {}, 300 + Math.random() * 3_000);
      },
    );

    if (last.length > 0) test.each(last)('at %s', (point) => atPoint(point));

    test('after all kills: one final state per 202, requested changes in the ledger once, erased customers gone, chains VALID', async () => {
      let service = await startService(dataDir, FAULTS);
      try {
        const unanswered = work.requests.unanswered.size;
        await answerAll(work, service);
        const settled = await settleEvidence(work.evidence, service);
        const { verification, sandboxId, version } = await expectAllFinal(work, service);
        await expectErased(work, service);
        const kills = [light, loaded, last].flat().length;
        const count = (kind: 'failing' | 'signal' | 'newKey'): number => answersOf(work, kind).length;
        process.stdout.write(
          `kills: ${kills} at named points, ${random} at random; ${auditIdsOf(work).size} audits, of them ${count('failing')} that failed first (${work.replays} replays answered) and ${count('signal')} of the platform; ${unanswered} requests were unanswered at the end; ${version} versions of the sandbox, ${count('newKey')} keys made and revoked, ${work.leaving.length} customers erased\n`,
        );
        expect(await service.stop()).toBe(0);
        service = await startService(dataDir, FAULTS);
        const swept = await expectSwept(work.evidence, packages, service);
        expect(await service.stop()).toBe(0);
        await inspectStores(dataDir, async ({ warehouse, verify }) => {
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
