import type { Fault, FaultPlan } from './faults.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';

export const SERVERS = ['log', 'state', 'warehouse', 'packages'] as const;
export type Part = (typeof SERVERS)[number];

/**
 * `zombie`: the others continue without it, unknown to it. `dead`: stopped, but its earlier requests may still arrive.
 */
type Life = 'running' | 'zombie' | 'dead';

/** A process of the service as the world sees it. */
export interface SimulatedProcess {
  readonly name: string;
  readonly life: Life;
  /** Unix ms according to its own clock. */
  now(): number;
  /** Its clock's offset. */
  skewMs: number;
  /** Kills it; a zombie is only considered dead and killed some time later. */
  die(as: 'dead' | 'zombie'): void;
  /** Rejects when the group session of the dead process ends: from then on its handlers count as ended. */
  readonly sessionEnded: Promise<never>;
  /** Called when it dies or becomes a zombie. */
  onDeath(listener: () => void): void;
  onSessionEnd(listener: () => void): void;
}

/** Errors of a failed call to a dependency. */
export interface Failures {
  /** Definitely not executed. */
  refused(): Error;
  /** The outcome is unknown. */
  uncertain(): Error;
}

/** How a call takes effect: as requested, partly, or twice. */
export type Manner = 'once' | 'torn' | 'twice';

/** Faults of this call's effect, in addition to those of all calls. */
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
  /** Refuses every call to the dependency for `ms`. */
  interrupt(part: Part, ms: number): void;
  /** Delays every call to a dependency or by a process by up to `byMs` for `ms`. */
  slowDown(who: Part | SimulatedProcess, byMs: number, ms: number): void;
  /** Drops answers in flight: the dependency's server changed. */
  disconnect(part: Part): void;
  /** Makes every dependency reachable again. */
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

/** A new promise each time: a shared one would keep every run in memory. */
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
      // From a tenth of a second to a minute and a half, every order of magnitude equally likely.
      return 100 * 900 ** random.next();
    }
    return delayMs * 2 * random.next();
  };
  const crash = (process: SimulatedProcess, fault: 'crash before a call' | 'crash after a call'): void => {
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
      // Requests of a dead process only reach the server they were sent to.
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
        const startedOn = generation(part);
        setTimeout(() => {
          if (startedOn !== generation(part)) return;
          trace.note(now(), process.name, `${part}.${what}: arrives late`);
          void Promise.resolve(effect('once')).catch(() => undefined);
        }, drawDelay(process, part) + random.below(20_000));
        throw failures.uncertain();
      }
      const manner = drawManner(may);
      const answering = generation(part);
      note(manner === 'once' ? 'done' : manner);
      const result = await effect(manner);
      crash(process, 'crash after a call');
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
