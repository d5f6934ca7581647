import { Agent, request } from 'node:http';

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

export interface Shot {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `number` is the one that `next` made the shot from; times in ms of `performance.now()`. */
export type OnAnswer = (number: number, body: string, answeredAtMs: number) => void;

const AGENT_SOCKETS = 256;

/** Value below which the share `q` (0-1) of the values lie; 0 without values. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

function post(agent: Agent, base: URL, shot: Shot): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        host: base.hostname,
        port: base.port,
        method: 'POST',
        path: shot.path,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(shot.body),
          ...shot.headers,
        },
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(shot.body);
  });
}

interface Tally {
  readonly latencies: number[];
  readonly errors: Map<string, number>;
  sent: number;
}

async function fire(
  agent: Agent,
  base: URL,
  shot: Shot,
  tally: Tally,
  due: number,
  onAnswer?: (body: string, answeredAtMs: number) => void,
): Promise<void> {
  tally.sent += 1;
  try {
    const { status, body } = await post(agent, base, shot);
    const now = performance.now();
    if (status >= 300) throw new Error(`status ${status}`);
    tally.latencies.push(now - due);
    onAnswer?.(body, now);
  } catch (error) {
    const name = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    tally.errors.set(name, (tally.errors.get(name) ?? 0) + 1);
  }
}

const summarise = (tally: Tally, seconds: number): LoadResult => {
  const sorted = tally.latencies.toSorted((a, b) => a - b);
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
 * Sends at a fixed rate whatever the answers do (open loop): latency counts from when a request was due, so that a
 * stalled service cannot hide its stall.
 */
export async function openLoop(
  url: string,
  ratePerSecond: number,
  seconds: number,
  next: (number: number) => Shot,
  onAnswer?: OnAnswer,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: AGENT_SOCKETS });
  const base = new URL(url);
  const tally: Tally = { latencies: [], errors: new Map(), sent: 0 };
  const running: Promise<void>[] = [];
  const start = performance.now();
  const total = Math.round(ratePerSecond * seconds);
  for (let number = 0; number < total; ) {
    const dueUntil = ((performance.now() - start) / 1000) * ratePerSecond;
    for (; number < total && number <= dueUntil; number += 1) {
      const mine = number;
      const due = start + (mine / ratePerSecond) * 1000;
      running.push(fire(agent, base, next(mine), tally, due, (body, at) => onAnswer?.(mine, body, at)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  const elapsed = (performance.now() - start) / 1000;
  agent.destroy();
  return summarise(tally, elapsed);
}

/** `connections` requests in flight at all times: what the service can do at most. */
export async function closedLoop(
  url: string,
  connections: number,
  seconds: number,
  next: (number: number) => Shot,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const base = new URL(url);
  const tally: Tally = { latencies: [], errors: new Map(), sent: 0 };
  const start = performance.now();
  const end = start + seconds * 1000;
  let number = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) await fire(agent, base, next(number++), tally, performance.now());
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return summarise(tally, (performance.now() - start) / 1000);
}
