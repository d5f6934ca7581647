import { createRequire, syncBuiltinESMExports } from 'node:module';

/**
 * Time that passes only when nothing else is left to do. It replaces the timers and clocks of the whole program, so an
 * hour of waiting costs nothing, and the order of all events depends only on the run's seed.
 */
export interface VirtualTime {
  /** Drops every timer and starts at 0. */
  reset(wallAtStart: number): void;
  /** Monotonic ms since the last reset. */
  now(): number;
  /** Runs due timers step by step until `isOver` (checked between steps) or nothing is left. */
  runUntil(isOver: () => boolean): Promise<void>;
  /** Steps taken since the last reset. */
  steps(): number;
}

/** The return value of `setTimeout`. */
class VirtualTimer {
  readonly at: number;
  readonly order: number;
  run: (() => void) | null;
  constructor(at: number, order: number, run: () => void) {
    this.at = at;
    this.order = order;
    this.run = run;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
}

const isBefore = (one: VirtualTimer, other: VirtualTimer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** Timers ordered by due time. */
function timerHeap() {
  let heap: VirtualTimer[] = [];
  const swap = (i: number, j: number): void => {
    const kept = heap[i]!;
    heap[i] = heap[j]!;
    heap[j] = kept;
  };
  return {
    clear: () => {
      heap = [];
    },
    push: (timer: VirtualTimer): void => {
      let at = heap.push(timer) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at]!, heap[parent]!)) return;
        swap(at, parent);
        at = parent;
      }
    },
    pop: (): VirtualTimer | undefined => {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let least = at;
        if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
        if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}

const abortError = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });

/** Replaces the program's time with virtual time. Call once per program, before the simulated code runs. */
export function installVirtualTime(): VirtualTime {
  const realImmediate = globalThis.setImmediate;
  const timers = timerHeap();
  let immediates: VirtualTimer[] = [];
  let now = 0;
  let wallAtStart = 0;
  let placed = 0;
  let stepCount = 0;

  const after = (run: () => void, delayMs: number | undefined): VirtualTimer => {
    const ms = Number.isFinite(delayMs) ? Math.max(1, Number(delayMs)) : 1;
    const timer = new VirtualTimer(now + ms, placed++, run);
    timers.push(timer);
    return timer;
  };
  const cancel = (timer: VirtualTimer | undefined): void => {
    if (timer instanceof VirtualTimer) timer.run = null;
  };
  const every = (run: () => void, everyMs: number | undefined): VirtualTimer => {
    const handle = new VirtualTimer(0, 0, () => undefined);
    const again = (): void => {
      if (handle.run === null) return;
      after(again, everyMs);
      run();
    };
    after(again, everyMs);
    return handle;
  };
  const atOnce = (run: () => void): VirtualTimer => {
    const timer = new VirtualTimer(now, placed++, run);
    immediates.push(timer);
    return timer;
  };
  const sleep = (
    delayMs?: number,
    value?: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal));
        return;
      }
      const onAbort = (): void => {
        cancel(timer);
        reject(abortError(signal as AbortSignal));
      };
      const timer = after(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve(value);
      }, delayMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });

  const globals = globalThis as unknown as Record<string, unknown>;
  globals.setTimeout = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    after(args.length === 0 ? run : () => run(...args), ms);
  globals.setInterval = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    every(args.length === 0 ? run : () => run(...args), ms);
  globals.setImmediate = (run: (...args: unknown[]) => void, ...args: unknown[]) =>
    atOnce(args.length === 0 ? run : () => run(...args));
  globals.clearTimeout = cancel;
  globals.clearInterval = cancel;
  globals.clearImmediate = cancel;
  Date.now = () => Math.floor(wallAtStart + now);
  performance.now = () => now;

  const require = createRequire(import.meta.url);
  const promises = require('node:timers/promises') as Record<string, unknown>;
  promises.setTimeout = sleep;
  promises.setImmediate = (value?: unknown) => new Promise((resolve) => atOnce(() => resolve(value)));
  // Irrelevant ids must not differ between two runs of a seed either.
  const crypto = require('node:crypto') as Record<string, unknown>;
  let named = 0;
  crypto.randomUUID = () => `00000000-0000-4000-8000-${String(named++).padStart(12, '0')}`;
  syncBuiltinESMExports();

  /** After one real turn of the event loop, all promises that can continue have done so. */
  const turn = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

  const nextDue = (): VirtualTimer | undefined => immediates.shift() ?? timers.pop();

  return {
    reset: (wall) => {
      timers.clear();
      immediates = [];
      [now, placed, stepCount, named, wallAtStart] = [0, 0, 0, 0, wall];
    },
    now: () => now,
    steps: () => stepCount,
    runUntil: async (isOver) => {
      for (;;) {
        await turn();
        if (isOver()) return;
        const timer = nextDue();
        if (timer === undefined) return;
        const { run } = timer;
        if (run === null) continue;
        timer.run = null;
        stepCount += 1;
        now = Math.max(now, timer.at);
        run();
      }
    },
  };
}
