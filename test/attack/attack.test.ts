import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCustomer, makeSandbox } from '../helpers/customer.ts';
import { expectNothingLost } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';
import { createGoodCustomer, type GoodCustomer, quantileMs, type Stretch } from './good-customer.ts';
import { ATTACKS } from './hostile/attacks.ts';
import { type HostileProcess, startHostileProcess } from './hostile-process.ts';
import { type Attacked, HEAD, lineOf, lineOfAttack, measureAttack } from './measure.ts';
import { accountsWithHistory } from './set-up.ts';

const QUIET_SECONDS = 30;
const WARM_UP_SECONDS = 5;
const TIMES_QUIET = 5;
/**
 * Two processors are shared by the service, the attacker and this. A 99th percentile below this is one that a single
 * pause of the machine decides about.
 */
const LEAST_QUIET_P99_MS = 20;
/** Harm that an attack does it does each time; a pause of the machine falls into another attack the next time. */
const TRIES = 3;
const SLUG = 'good';
const HISTORIES = 4;
const SERVICE_MEMORY_MIB = 1_024;
const ENGINE_MEMORY_MIB = 1_024;
/** Only attacks whose names this matches, for who mends one. */
const CHOSEN = ATTACKS.filter(({ name }) => new RegExp(process.env.ATTACK ?? '').test(name));

describe('a good customer at 20 requests a second beside a hostile one', () => {
  const dataDir = temporaryDataDir();
  const lines: string[] = [HEAD];
  const quiet: Stretch[] = [];
  const attacked = new Map<string, Attacked[]>();
  let service: TestService;
  let good: GoodCustomer;
  let hostile: HostileProcess;
  let customerClient: Awaited<ReturnType<typeof makeCustomer>>['client'];

  const barMs = (): number =>
    TIMES_QUIET * Math.max(LEAST_QUIET_P99_MS, ...quiet.map((stretch) => quantileMs(stretch, 0.99)));
  const say = (line: string): void => {
    lines.push(line);
    process.stderr.write(`${line}\n`);
  };
  const measureQuiet = async (): Promise<void> => {
    const stretch = await good.work(QUIET_SECONDS);
    quiet.push(stretch);
    say(lineOf('quiet', stretch));
  };

  beforeAll(async () => {
    service = await startService(dataDir, { NODE_ENV: 'production' });
    const customer = await makeCustomer(service, 'Good', 'PRO');
    customerClient = customer.client;
    await makeSandbox(customerClient, SLUG);
    const withHistory = await accountsWithHistory(service, HISTORIES);
    good = createGoodCustomer(service.url, customer, SLUG);
    hostile = startHostileProcess();
    const bench = { service, good, hostile, withHistory };
    await good.work(WARM_UP_SECONDS);
    await measureQuiet();
    for (const attack of CHOSEN) {
      const tries: Attacked[] = [];
      attacked.set(attack.name, tries);
      do {
        const one = await measureAttack(attack, bench);
        tries.push(one);
        say(lineOfAttack(one));
      } while (tries.length < TRIES && quantileMs(tries.at(-1)!.stretch, 0.99) > barMs());
    }
    await measureQuiet();
    say(`bar of the 99th percentile: ${barMs().toFixed(0)} ms`);
  }, 560_000);
  afterAll(async () => {
    good?.close();
    await hostile?.stop();
    await service?.killTree();
    removeDataDir(dataDir);
  });

  test.each(CHOSEN.map(({ name }) => name))('%s: no error, and at most five times as slow', (name) => {
    const tries = attacked.get(name) ?? [];
    const report = lines.join('\n');
    expect(tries.flatMap(({ stretch }) => stretch.faults)).toEqual([]);
    const best = Math.min(...tries.map(({ stretch }) => quantileMs(stretch, 0.99)));
    if (best > barMs())
      throw new Error(`p99 ${best.toFixed(1)} ms, above ${barMs().toFixed(1)} ms\n${report}`);
  });

  test.each(CHOSEN.map(({ name, answers }) => ({ name, answers })))(
    '$name: was an attack',
    ({ name, answers }) => {
      for (const { seen } of attacked.get(name) ?? [])
        expect(Object.keys(seen.seen)).toEqual(expect.arrayContaining(answers.map(String)));
    },
  );

  test('nothing that was accepted is lost, and its chain verifies', async () => {
    const verification = await expectNothingLost(customerClient, good.accepted);
    expect(verification.status).toBe('VALID');
  });

  test.each(CHOSEN.map(({ name }) => name))('%s: the memory stays below a container’s', (name) => {
    for (const { memory } of attacked.get(name) ?? []) {
      expect(memory.service).toBeLessThan(SERVICE_MEMORY_MIB);
      expect(memory.engine).toBeLessThan(ENGINE_MEMORY_MIB);
    }
  });

  test('the service logs no error, and stops cleanly', async () => {
    expect(service.output()).not.toMatch(/"level":(50|60)/);
    expect(await service.stop()).toBe(0);
  });
});
