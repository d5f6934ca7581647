import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { expectNothingLost } from '../helpers/final-state.ts';
import { removeDataDir, type TestService, temporaryDataDir } from '../helpers/service.ts';
import { type Attacks, CHOSEN, runAttacks, startAttackedService } from './run-attacks.ts';

/**
 * `node dist/test/attack/bench.js` measures how much slower the good customer becomes; on a shared machine that would
 * prove nothing.
 */
const SERVICE_MEMORY_MIB = 1_024;
const ENGINE_MEMORY_MIB = 1_024;

describe('a well-behaved customer at 20 requests a second next to a hostile one', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;
  let run: Attacks;
  const triesOf = (name: string) => run.attacked.get(name) ?? [];

  beforeAll(async () => {
    service = await startAttackedService(dataDir);
    run = await runAttacks(service, null);
  }, 740_000);
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  });

  test.each(CHOSEN.map(({ name }) => name))('%s: every request is answered without an error', (name) => {
    expect(triesOf(name).length).toBeGreaterThan(0);
    expect(triesOf(name).flatMap(({ stretch }) => stretch.faults)).toEqual([]);
  });

  test.each(CHOSEN.map(({ name, answers }) => ({ name, answers })))(
    '$name: the attack took place',
    ({ name, answers }) => {
      for (const { seen } of triesOf(name))
        expect(Object.keys(seen.seen)).toEqual(expect.arrayContaining(answers.map(String)));
    },
  );

  test('loses no accepted audit, and its chain verifies', async () => {
    const verification = await expectNothingLost(run.customer.client, run.good.accepted);
    expect(verification.status).toBe('VALID');
  });

  test.each(CHOSEN.map(({ name }) => name))('%s: memory stays below a container’s limit', (name) => {
    for (const { memory } of triesOf(name)) {
      expect(memory.service).toBeLessThan(SERVICE_MEMORY_MIB);
      expect(memory.engine).toBeLessThan(ENGINE_MEMORY_MIB);
    }
  });

  test('sees a service that logs no error and stops cleanly', async () => {
    expect(service.output()).not.toMatch(/"level":(50|60)/);
    expect(await service.stop()).toBe(0);
  });
});
