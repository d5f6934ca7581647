import { withTimeout } from '#platform/flow/with-timeout.ts';
import type { StreamHealth } from '#platform/stream/run-stream.ts';

export interface ReadinessReport {
  readonly status: 'ready' | 'unready';
  readonly checks: Record<string, { readonly ok: boolean; readonly message?: string }>;
}

const PING_LIMIT_MS = 2_000;

/** `message` may accompany `ok: true` too: something that an operator should know. */
export type Check = { ok: boolean; message?: string };
/** `serves`: whether requests may come here nevertheless. */
export type Look = Check & { readonly serves?: boolean };

/** The result of `look`, or that it did not answer in time. */
async function inTime(look: () => Promise<Look>): Promise<Look> {
  const late = { ok: false, message: `no answer within ${PING_LIMIT_MS} ms` };
  try {
    return await withTimeout(look(), PING_LIMIT_MS, () => late);
  } catch {
    // The text of an adapter's error is for the log, not for every caller.
    return { ok: false, message: 'cannot be reached' };
  }
}

function streamCheck(health: StreamHealth): Look {
  const { stoppedPartitions } = health;
  if (health.ready && stoppedPartitions.length > 0) {
    const names = stoppedPartitions.map(
      ({ topic, partition, reason }) => `${topic}/${partition} (${reason})`,
    );
    // Red, but requests may still come: everything else works, and the partition would be stopped elsewhere too.
    return {
      ok: false,
      message: `stopped partitions, see "cas partitions": ${names.join(', ')}`,
      serves: true,
    };
  }
  if (health.ready) return { ok: true };
  if (health.stopped !== null) return { ok: false, message: 'stopped by itself; see the log' };
  if (!health.joined) return { ok: false, message: 'has not joined its group' };
  if (!health.healthy) return { ok: false, message: 'waits for a part that cannot be reached' };
  return { ok: false, message: `records wait and the offset does not move: ${health.stalled.join(', ')}` };
}

/** A service's dependencies, by the names that readiness shows. */
export type Pings = Readonly<Record<string, { ping(): Promise<void> }>>;

/** Consumers by the names that readiness shows; they may run in another thread. */
export type Consumers = Readonly<Record<string, { health(): StreamHealth | Promise<StreamHealth> }>>;

/**
 * Whether every dependency can be reached, every consumer works and nothing else is wrong. Never reveals processed
 * data.
 */
export function readinessOf(
  dependencies: Pings,
  consumers: Consumers,
  others: Readonly<Record<string, () => Promise<Look>>> = {},
): () => Promise<ReadinessReport> {
  const looks: Record<string, () => Promise<Look>> = { ...others };
  for (const [name, dependency] of Object.entries(dependencies)) {
    looks[name] = () => dependency.ping().then(() => ({ ok: true }));
  }
  for (const [name, consumer] of Object.entries(consumers)) {
    looks[name] = async () => streamCheck(await consumer.health());
  }
  return async () => {
    const found = await Promise.all(
      Object.entries(looks).map(async ([name, look]) => [name, await inTime(look)] as const),
    );
    const ready = found.every(([, { ok, serves }]) => ok || serves === true);
    const checks: ReadinessReport['checks'] = Object.fromEntries(
      found.map(([name, { serves: _serves, ...check }]) => [name, check]),
    );
    return { status: ready ? 'ready' : 'unready', checks };
  };
}
