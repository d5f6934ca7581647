import type { Fault, FaultPlan } from './faults.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';

export const SERVERS = ['log', 'state', 'warehouse', 'packages'] as const;
export type Part = (typeof SERVERS)[number];

/**
 * `running`; `zombie`: the others continue without it, and it does not know; `dead`: it stops, but what it sent before
 * may still arrive.
 */
type Life = 'running' | 'zombie' | 'dead';

/** A process of the service as the world sees it. */
export interface SimulatedProcess {
  readonly name: string;
  readonly life: Life;
  /** Unix ms by its own clock. */
  now(): number;
  /** Its clock's offset. */
  skewMs: number;
  /** It is killed, or, as a zombie, only considered dead until it is killed some time later. */
  die(as: 'dead' | 'zombie'): void;
  /** Rejects when the group's session of a dead process ends: its handlers count as ended from then on. */
  readonly sessionEnded: Promise<never>;
  /** Called at the moment of death, or when it becomes a zombie. */
  onDeath(listener: () => void): void;
  onSessionEnd(listener: () => void): void;
}

/** How a call to a dependency may fail. */
export interface Failures {
  /** Certainly not carried out. */
  refused(): Error;
  /** The outcome is unknown. */
  uncertain(): Error;
}

/** How a call takes effect: as it should, partly, or once more than requested. */
export type Manner = 'once' | 'torn' | 'twice';

/** Faults of this call's effect, besides those of all calls. */
export interface MayHappen {
  readonly repeats?: boolean;
  readonly tears?: 'torn append' | 'torn insert';
}

/** The network between processes and dependencies: every call goes through it. */
export interface Network {
  call<Result>(
    process: SimulatedProcess,
    part: Part,
    what: string,
    failures: Failures,
    effect: (manner: Manner) => Promise<Result> | Result,
    may?: MayHappen,
  ): Promise<Result>;
  /** Refuses every call to the dependency until `ms` have passed. */
  interrupt(part: Part, ms: number): void;
  /** Every call to a dependency, or by a process, takes up to `byMs` longer until `ms` have passed. */
  slowDown(who: Part | SimulatedProcess, byMs: number, ms: number): void;
  /** Answers in flight are lost: the dependency's server changed. */
  disconnect(part: Part): void;
  /** Every dependency can be reached from now on. */
  heal(): void;
}

export interface NetworkOptions {
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly trace: Trace;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Typical one-way delay, ms. */
  readonly delayMs: number;
}

/** A new one each time: a shared promise would keep every run in memory. */
const never = (): Promise<never> => new Promise(() => undefined);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createNetwork({ random, faults, trace, now, delayMs }: NetworkOptions): Network {
  const downUntil = new Map<Part, number>();
  const slowUntil = new Map<Part | SimulatedProcess, { readonly at: number; readonly byMs: number }>();
  const connections = new Map<Part, number>();
  const generation = (part: Part): number => connections.get(part) ?? 0;

  const drawDelay = (process: SimulatedProcess, part: Part): number => {
    for (const who of [process, part]) {
      const slow = slowUntil.get(who);
      if (slow !== undefined && slow.at > now()) return slow.byMs * random.next();
    }
    if (faults.happens('slow call')) {
      faults.count('slow call');
      // From a tenth of a second to a minute and a half, each order of magnitude equally likely.
      return 100 * 900 ** random.next();
    }
    return delayMs * 2 * random.next();
  };
  const crash = (process: SimulatedProcess, fault: 'crash before a call' | 'crash behind a call'): void => {
    if (process.life !== 'running' || !faults.happens(fault)) return;
    faults.count(fault);
    process.die('dead');
  };

  return {
    interrupt: (part, ms) => downUntil.set(part, now() + ms),
    slowDown: (who, byMs, ms) => slowUntil.set(who, { at: now() + ms, byMs }),
    disconnect: (part) => connections.set(part, generation(part) + 1),
    heal: () => {
      downUntil.clear();
      slowUntil.clear();
    },
    call: async (process, part, what, failures, effect, may = {}) => {
      const isDead = (): boolean => process.life === 'dead';
      if (isDead()) return never();
      const note = (text: string): void => trace.note(now(), process.name, `${part}.${what}: ${text}`);
      crash(process, 'crash before a call');
      // A request in flight when its sender dies may still arrive.
      const outlives = random.chance(0.5);
      const connection = generation(part);
      // What a dead process has sent goes to the server that it was sent to.
      const isLost = (): boolean => isDead() && (!outlives || connection !== generation(part));
      if (isLost()) return never();
      await wait(drawDelay(process, part));
      if (isLost()) return never();
      if ((downUntil.get(part) ?? 0) > now()) {
        note('not reached');
        await wait(delayMs);
        if (isDead()) return never();
        throw failures.refused();
      }
      if (faults.happens('refused call')) {
        faults.count('refused call');
        note('refused');
        throw failures.refused();
      }
      if (faults.happens('late effect')) {
        faults.count('late effect');
        note('timed out, arrives later');
        const begun = generation(part);
        setTimeout(() => {
          if (begun !== generation(part)) return;
          trace.note(now(), process.name, `${part}.${what}: arrives late`);
          void Promise.resolve(effect('once')).catch(() => undefined);
        }, drawDelay(process, part) + random.below(20_000));
        throw failures.uncertain();
      }
      const manner = drawManner(may);
      const answering = generation(part);
      note(manner === 'once' ? 'done' : manner);
      const result = await effect(manner);
      crash(process, 'crash behind a call');
      await wait(drawDelay(process, part));
      if (isDead()) return never();
      if (answering !== generation(part)) throw failures.uncertain();
      if (faults.happens('lost answer')) {
        faults.count('lost answer');
        note('answer lost');
        throw failures.uncertain();
      }
      return result;
    },
  };

  function drawManner({ repeats = false, tears }: MayHappen): Manner {
    const drawn = (fault: Fault): boolean => {
      if (!faults.happens(fault)) return false;
      faults.count(fault);
      return true;
    };
    if (repeats && drawn('repeated record')) return 'twice';
    return tears !== undefined && drawn(tears) ? 'torn' : 'once';
  }
}

export interface ProcessOptions {
  readonly name: string;
  /** Unix ms of the world. */
  readonly wall: () => number;
  readonly sessionTimeoutMs: number;
  /** How long a zombie continues, ms. */
  readonly zombieMs: number;
}

export function startProcess({ name, wall, sessionTimeoutMs, zombieMs }: ProcessOptions): SimulatedProcess {
  let life: Life = 'running';
  const [atDeath, atSessionEnd]: [(() => void)[], (() => void)[]] = [[], []];
  let endSession: (error: Error) => void = () => undefined;
  const sessionEnded = new Promise<never>((_, reject) => {
    endSession = reject;
  });
  sessionEnded.catch(() => undefined);
  return {
    name,
    get life() {
      return life;
    },
    skewMs: 0,
    now() {
      return Math.floor(wall() + this.skewMs);
    },
    die: (as) => {
      if (life === 'zombie' && as === 'dead') life = 'dead';
      if (life !== 'running') return;
      life = as;
      if (as === 'zombie') {
        setTimeout(() => {
          life = 'dead';
        }, zombieMs);
      }
      setTimeout(() => {
        endSession(new Error(`the session of ${name} has ended`));
        for (const listener of atSessionEnd) listener();
      }, sessionTimeoutMs);
      for (const listener of atDeath) listener();
    },
    sessionEnded,
    onDeath: (listener) => void atDeath.push(listener),
    onSessionEnd: (listener) => void atSessionEnd.push(listener),
  };
}
