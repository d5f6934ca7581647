import type { StreamHealth } from '../stream/run-stream.ts';

export interface ReadinessReport {
  readonly status: 'ready' | 'unready';
  readonly checks: Record<string, { readonly ok: boolean; readonly message?: string }>;
}

const PING_LIMIT_MS = 2_000;

/** `message` may stand beside `ok` too: something that an operator should know. */
export type Check = { ok: boolean; message?: string };
/** `serves`: whether requests may come here all the same. */
export type Look = Check & { readonly serves?: boolean };

/** What `look` comes to, or that it did not answer in time. */
async function inTime(look: () => Promise<Look>): Promise<Look> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Look>((resolve) => {
    timer = setTimeout(resolve, PING_LIMIT_MS, {
      ok: false,
      message: `no answer within ${PING_LIMIT_MS} ms`,
    });
  });
  try {
    return await Promise.race([look(), late]);
  } catch {
    // The text of an adapter's error is for the log, not for everybody who asks.
    return { ok: false, message: 'cannot be reached' };
  } finally {
    clearTimeout(timer);
  }
}

function streamCheck(health: StreamHealth): Look {
  const { stoppedPartitions } = health;
  if (health.ready && stoppedPartitions.length > 0) {
    const names = stoppedPartitions.map(
      ({ topic, partition, reason }) => `${topic}/${partition} (${reason})`,
    );
    // Red, but no reason to send nobody here: all else works, and the partition would be stopped elsewhere too.
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

/** Parts that a service needs, by the name under which readiness speaks of them. */
export type Pings = Readonly<Record<string, { ping(): Promise<void> }>>;

/** Consumers by the name under which readiness speaks of them; they may live in another thread. */
export type Consumers = Readonly<Record<string, { health(): StreamHealth | Promise<StreamHealth> }>>;

/**
 * Whether every part can be reached, every consumer works and nothing else is wrong. Never says what went through them.
 */
export function readinessOf(
  parts: Pings,
  consumers: Consumers,
  others: Readonly<Record<string, () => Promise<Look>>> = {},
): () => Promise<ReadinessReport> {
  const looks: Record<string, () => Promise<Look>> = { ...others };
  for (const [name, part] of Object.entries(parts)) {
    looks[name] = () => part.ping().then(() => ({ ok: true }));
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
