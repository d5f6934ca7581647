import type { TestService } from '../helpers/service.ts';
import { type GoodCustomer, quantileMs, type Stretch } from './good-customer.ts';
import type { Attack, HostileAccount } from './hostile/attack.ts';
import type { AttackSeen, HostileProcess } from './hostile-process.ts';
import { type Memory, watchMemory } from './process-memory.ts';
import { accountsFor } from './set-up.ts';

/** The good customer's work during an attack, and what the attacker observed. */
export interface Attacked {
  readonly attack: Attack;
  readonly stretch: Stretch;
  readonly seen: AttackSeen;
  readonly memory: Memory;
}

export interface Bench {
  readonly service: TestService;
  readonly good: GoodCustomer;
  readonly hostile: HostileProcess;
  readonly withHistory: readonly HostileAccount[];
}

const ATTACKED_SECONDS = 6;

/** `number`: of this measurement, from 1. Each has its own address, with full buckets like its customers'. */
export async function measureAttack(attack: Attack, number: number, bench: Bench): Promise<Attacked> {
  const accounts = await accountsFor(attack, bench.service, bench.withHistory);
  const memory = watchMemory(bench.service.process.pid ?? 0);
  const started = await bench.hostile.start({
    attack: attack.name,
    url: bench.service.url,
    accounts,
    address: `127.0.2.${number}`,
  });
  const stretch = await bench.good.work(ATTACKED_SECONDS);
  return { attack, stretch, seen: await started.end(), memory: memory() };
}

const ms = (value: number): string => value.toFixed(1).padStart(8);

/** Output for people: a failed run must show what to fix. */
export function lineOf(name: string, stretch: Stretch): string {
  const { latenciesMs, faults } = stretch;
  const times = [quantileMs(stretch, 0.5), quantileMs(stretch, 0.99), latenciesMs.at(-1) ?? 0];
  const wrong = faults.length === 0 ? '' : `  FAULTS ${faults.length}, e.g. ${faults[0]}`;
  return `${times.map(ms).join('')}  ${name} (${latenciesMs.length} requests)${wrong}`;
}

export const lineOfAttack = ({ attack, stretch, seen, memory }: Attacked): string =>
  `${lineOf(attack.name, stretch)}  attacker: ${seen.cpuSeconds.toFixed(1)} s of CPU, ${JSON.stringify(seen.seen)}  peak: service ${memory.service} MiB, engine ${memory.engine} MiB  slowest: ${stretch.slowest.join(', ')}`;

export const HEAD = '     p50     p99     max  ms of the good customer';
