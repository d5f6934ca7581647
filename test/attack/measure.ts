import type { TestService } from '../helpers/service.ts';
import { type GoodCustomer, quantileMs, type Stretch } from './good-customer.ts';
import type { Attack, HostileAccount } from './hostile/attack.ts';
import type { AttackSeen, HostileProcess } from './hostile-process.ts';
import { accountsFor } from './set-up.ts';

/** The good customer's work beside an attack, and what the attacker saw of it. */
export interface Attacked {
  readonly attack: Attack;
  readonly stretch: Stretch;
  readonly seen: AttackSeen;
}

export interface Bench {
  readonly service: TestService;
  readonly good: GoodCustomer;
  readonly hostile: HostileProcess;
  readonly withHistory: readonly HostileAccount[];
}

const ATTACKED_SECONDS = 6;

export async function measureAttack(attack: Attack, bench: Bench): Promise<Attacked> {
  const accounts = await accountsFor(attack, bench.service, bench.withHistory);
  const begun = await bench.hostile.begin({ attack: attack.name, url: bench.service.url, accounts });
  const stretch = await bench.good.work(ATTACKED_SECONDS);
  return { attack, stretch, seen: await begun.end() };
}

const ms = (value: number): string => value.toFixed(1).padStart(8);

/** A line for people: who looks at a red run must see what to mend. */
export function lineOf(name: string, stretch: Stretch, seen?: AttackSeen): string {
  const { latenciesMs, faults } = stretch;
  const times = [quantileMs(stretch, 0.5), quantileMs(stretch, 0.99), latenciesMs.at(-1) ?? 0]
    .map(ms)
    .join('');
  const attacker =
    seen === undefined
      ? ''
      : `  attacker: ${seen.cpuSeconds.toFixed(1)} s of CPU, ${JSON.stringify(seen.seen)}`;
  const wrong = faults.length === 0 ? '' : `  FAULTS ${faults.length}, e.g. ${faults[0]}`;
  return `${times}  ${name} (${latenciesMs.length} requests)${wrong}${attacker}`;
}

export const HEAD = '     p50     p99     max  ms of the good customer';
