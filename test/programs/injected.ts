import type { Composition } from '#app/composition.ts';
import type { Probe } from '#platform/process/probe.ts';
import { failAnalyses } from './fail-analyses.ts';
import { killAround } from './kill-around.ts';

/** Environment variables of the tests' own program. The product does not know them. */
const INJECTED = [
  /** `point` or `point:n`: SIGKILLs the process at the n-th pass of that point, like a power failure. */
  'CRASH_AT',
  /** `stage:model:times,...`: failing analyses (`fail-analyses.ts`). */
  'FAULT_INJECTION',
  /** `true`: accepts commands, and injects nothing else. */
  'CONTROLLED',
] as const;
type Injected = Readonly<Partial<Record<(typeof INJECTED)[number], string | undefined>>>;

/** Whether a process with this environment must be the tests' own program. */
export const isInjected = (environment: Injected): boolean =>
  INJECTED.some((name) => environment[name] !== undefined);

/** A command from the process that started the program. */
export interface Command {
  /** Duration, ms. */
  readonly keepWarehouseDown?: number;
  readonly refuseState?: number;
  /** Ends the thread of analyzer, sink and correlator. */
  readonly endPipeline?: number;
}

/** Channel through which the main thread passes commands to its threads. */
export const COMMANDS = 'commands of tests';

export function compositionOf({ CRASH_AT, FAULT_INJECTION }: Injected): Composition {
  const probe = CRASH_AT === undefined ? undefined : killAt(CRASH_AT);
  return {
    ...(probe === undefined ? {} : { probe }),
    around: (role, dependencies) => {
      const failing =
        role === 'analyzer' && FAULT_INJECTION !== undefined
          ? failAnalyses(dependencies, FAULT_INJECTION)
          : dependencies;
      return probe === undefined ? failing : killAround(role, failing, probe);
    },
  };
}

function killAt(spec: string): Probe {
  const [point, times = '1'] = spec.split(':');
  let left = Number(times);
  return (passed) => {
    if (passed !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
