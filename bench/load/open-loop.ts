import { ascending, quantile } from './quantile.ts';
import { type Connections, openConnections, type RawAnswer, type Shot } from './raw-http.ts';

export interface LoadResult {
  readonly sent: number;
  readonly ok: number;
  readonly errors: ReadonlyMap<string, number>;
  /** Answers with the expected status per second of the run. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** `number` is the number passed to `next`; times in ms of `performance.now()`. */
type OnAnswer = (number: number, answer: RawAnswer, answeredAtMs: number) => void;

const CONNECTIONS = 256;

interface Tally {
  readonly latencies: number[];
  readonly errors: Map<string, number>;
  sent: number;
}

/** Sends one shot; `done` is called when it is counted. */
function fire(
  connections: Connections,
  shot: Shot,
  tally: Tally,
  due: number,
  done: (answer: RawAnswer | null, answeredAtMs: number) => void,
): void {
  tally.sent += 1;
  connections.send(shot, (answer) => {
    const now = performance.now();
    const fault =
      typeof answer === 'string' ? answer : answer.status < 300 ? null : `status ${answer.status}`;
    if (fault === null) tally.latencies.push(now - due);
    else tally.errors.set(fault, (tally.errors.get(fault) ?? 0) + 1);
    done(fault === null ? (answer as RawAnswer) : null, now);
  });
}

const newTally = (): Tally => ({ latencies: [], errors: new Map(), sent: 0 });

const summarise = (tally: Tally, seconds: number): LoadResult => {
  const sorted = ascending(tally.latencies);
  return {
    sent: tally.sent,
    ok: sorted.length,
    errors: tally.errors,
    perSecond: sorted.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
  };
};

/**
 * Sends at a fixed rate regardless of the answers (open loop): latency counts from the time a request was due, so that
 * a stalled service cannot hide its stall.
 */
export async function openLoop(
  url: string,
  ratePerSecond: number,
  seconds: number,
  next: (number: number) => Shot,
  onAnswer?: OnAnswer,
): Promise<LoadResult> {
  const connections = openConnections(url, CONNECTIONS);
  const tally = newTally();
  const total = Math.round(ratePerSecond * seconds);
  const start = performance.now();
  await new Promise<void>((resolve) => {
    let [number, open] = [0, total];
    const send = (mine: number): void =>
      fire(connections, next(mine), tally, start + (mine / ratePerSecond) * 1000, (answer, at) => {
        if (answer !== null) onAnswer?.(mine, answer, at);
        open -= 1;
        if (open === 0) resolve();
      });
    const tick = (): void => {
      const dueUntil = ((performance.now() - start) / 1000) * ratePerSecond;
      for (; number < total && number <= dueUntil; number += 1) send(number);
      if (number < total) setTimeout(tick, 1);
    };
    tick();
  });
  const elapsed = (performance.now() - start) / 1000;
  connections.close();
  return summarise(tally, elapsed);
}
