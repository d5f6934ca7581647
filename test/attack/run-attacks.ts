import { makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import { startService, type TestService } from '../helpers/service.ts';
import { createGoodCustomer, type GoodCustomer, type Stretch } from './good-customer.ts';
import type { Attack } from './hostile/attack.ts';
import { ATTACKS } from './hostile/attacks.ts';
import { startHostileProcess } from './hostile-process.ts';
import { type Attacked, HEAD, lineOf, lineOfAttack, measureAttack } from './measure.ts';
import { accountsWithHistory, whenIdle } from './set-up.ts';

const QUIET_SECONDS = 30;
const WARM_UP_SECONDS = 5;
const SLUG = 'good';
const HISTORIES = 4;
/**
 * As in docker-compose.yml: without a limit, the runtime delays garbage collection while the machine has free memory.
 */
const HEAP_LIMIT = '--max-old-space-size=640';

/** `ATTACK` selects attacks by name pattern, for debugging. */
export const CHOSEN: readonly Attack[] = ATTACKS.filter(({ name }) =>
  new RegExp(process.env.ATTACK ?? '').test(name),
);

/** Decides from the measurements so far which attacks are measured again; not called after `withinMs`. */
export interface Retries {
  readonly rounds: number;
  readonly withinMs: number;
  needed(tries: readonly Attacked[], quiet: readonly Stretch[]): boolean;
}

export interface Attacks {
  readonly service: TestService;
  readonly good: GoodCustomer;
  readonly customer: TestCustomer;
  /** The phases without an attack, before and after all attacks; empty without retries. */
  readonly quiet: readonly Stretch[];
  /** Name of the attack -> its measurements, at least one. */
  readonly attacked: ReadonlyMap<string, readonly Attacked[]>;
}

/** A service as docker-compose.yml runs it; the caller ends it (`killTree`). */
export const startAttackedService = (dataDir: string): Promise<TestService> =>
  startService(dataDir, { NODE_OPTIONS: HEAP_LIMIT, DETECTION_WARM_UP: 'true' });

/**
 * Runs each chosen attack next to the good customer, one after another, and prints a line for each. `retries`: null
 * when slowdown is not measured, so there are no quiet phases either.
 */
export async function runAttacks(service: TestService, retries: Retries | null): Promise<Attacks> {
  const customer = await makeCustomer(service, 'Good', 'PRO');
  await makeSandbox(customer.client, SLUG);
  const withHistory = await accountsWithHistory(service, HISTORIES);
  const good = createGoodCustomer(service.url, customer, SLUG);
  const hostile = startHostileProcess();
  const bench = { service, good, hostile, withHistory };
  const quiet: Stretch[] = [];
  const attacked = new Map<string, readonly Attacked[]>();
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const workQuietly = async (): Promise<void> => {
    const stretch = await good.work(QUIET_SECONDS);
    quiet.push(stretch);
    say(lineOf('quiet', stretch));
  };
  const attackWith = async (attack: Attack): Promise<void> => {
    const tries = attacked.get(attack.name) ?? [];
    const number = [...attacked.values()].flat().length + 1;
    const one = await measureAttack(attack, number, bench);
    attacked.set(attack.name, [...tries, one]);
    say(lineOfAttack(one));
  };
  try {
    say(HEAD);
    await good.work(WARM_UP_SECONDS);
    if (retries !== null) await workQuietly();
    const startedMs = performance.now();
    for (const attack of CHOSEN) await attackWith(attack);
    // In rounds: trying each attack to the end before the next would leave no tries for the last ones.
    for (let round = 0; retries !== null && round < retries.rounds; round += 1) {
      const again = CHOSEN.filter(({ name }) => retries.needed(attacked.get(name) ?? [], quiet));
      if (again.length > 0) await whenIdle(service);
      for (const attack of again)
        if (performance.now() - startedMs < retries.withinMs) await attackWith(attack);
    }
    if (retries !== null) await workQuietly();
  } finally {
    good.close();
    await hostile.stop();
  }
  return { service, good, customer, quiet, attacked };
}
