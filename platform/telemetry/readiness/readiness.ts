import { singleFlight } from '#platform/flow/single-flight.ts';
import { withTimeout } from '#platform/flow/with-timeout.ts';
import type { StreamHealth } from '#platform/stream/run-stream.ts';

/** `degraded`: the process does its first duty and takes requests, but something else fails. */
export interface ReadinessReport {
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly checks: Record<string, { readonly ok: boolean; readonly message?: string }>;
}

const PING_LIMIT_MS = 2_000;

/** `message` may accompany `ok: true` too: something that an operator should know. */
export type Check = { ok: boolean; message?: string };
/** `serves`: whether a check that fails leaves the process degraded: requests may still come. */
export type Look = Check & { readonly serves?: boolean };

/** The result of `look`, or that it did not answer in time; `serves`: whether requests may come even then. */
async function inTime(look: () => Promise<Look>, serves: boolean): Promise<Look> {
  const late = { ok: false, message: `no response within ${PING_LIMIT_MS} ms`, serves };
  try {
    return await withTimeout(look(), PING_LIMIT_MS, () => late);
  } catch {
    // The text of an adapter's error is for the log, not for every caller.
    return { ok: false, message: 'cannot be reached', serves };
  }
}

function streamCheck(health: StreamHealth, servesWhileWaiting: boolean): Look {
  const { stoppedPartitions } = health;
  if (health.ready && stoppedPartitions.length > 0) {
    const names = stoppedPartitions.map(
      ({ topic, partition, reason }) => `${topic}/${partition} (${reason})`,
    );
    // Requests may still come: everything else works, and the partition would be stopped elsewhere too.
    return {
      ok: false,
      message: `stopped partitions: ${names.join(', ')}; run "cas partitions" to see why`,
      serves: true,
    };
  }
  if (health.ready) return { ok: true };
  if (health.stopped !== null) return { ok: false, message: 'stopped unexpectedly; see the log' };
  if (!health.joined) return { ok: false, message: 'has not joined its consumer group yet' };
  if (!health.healthy)
    return {
      ok: false,
      message: 'waiting for an unreachable dependency',
      serves: servesWhileWaiting,
    };
  return {
    ok: false,
    message: `records are pending but the offset is not advancing: ${health.stalled.join(', ')}`,
  };
}

/** A service's dependencies, by the names that readiness shows. */
type Pings = Readonly<Record<string, { ping(): Promise<void> }>>;

/** Consumers by the names that readiness shows; they may run in another thread. */
export type Consumers = Readonly<Record<string, { health(): StreamHealth | Promise<StreamHealth> }>>;

export interface ReadinessSources {
  /** Without any of them the process cannot do its first duty: it is not ready. */
  readonly needed: Pings;
  /** Without any of them it does its first duty all the same: it is degraded. */
  readonly useful?: Pings;
  readonly consumers?: Consumers;
  /** A consumer that waits for a dependency only degrades the process: its first duty is to take requests. */
  readonly servesWhileWaiting?: boolean;
  /** A check that does not answer degrades the process; what it answers counts as it says. */
  readonly checks?: Readonly<Record<string, () => Promise<Look>>>;
}

interface Source {
  readonly look: () => Promise<Look>;
  /** Whether requests may come when `look` fails or is late. */
  readonly serves: boolean;
}

const pingsOf = (pings: Pings, serves: boolean): [string, Source][] =>
  Object.entries(pings).map(([name, dependency]) => [
    name,
    { look: () => dependency.ping().then(() => ({ ok: true })), serves },
  ]);

function statusOf(looks: readonly Look[]): ReadinessReport['status'] {
  const failing = looks.filter(({ ok }) => !ok);
  if (failing.length === 0) return 'ready';
  return failing.every(({ serves }) => serves === true) ? 'degraded' : 'unready';
}

/**
 * Whether the process can do its first duty, and whether anything else fails. A dependency that has not answered yet is
 * not asked again. Never reveals processed data.
 */
export function readinessOf({
  needed,
  useful = {},
  consumers = {},
  servesWhileWaiting = false,
  checks = {},
}: ReadinessSources): () => Promise<ReadinessReport> {
  const sources: [string, Source][] = [
    ...Object.entries(checks).map(([name, look]): [string, Source] => [name, { look, serves: true }]),
    ...pingsOf(needed, false),
    ...pingsOf(useful, true),
    ...Object.entries(consumers).map(([name, consumer]): [string, Source] => [
      name,
      { look: async () => streamCheck(await consumer.health(), servesWhileWaiting), serves: false },
    ]),
  ];
  const looks = sources.map(([name, { look, serves }]) => {
    const once = singleFlight(look);
    return async () => [name, await inTime(once, serves)] as const;
  });
  return async () => {
    const found = await Promise.all(looks.map((look) => look()));
    const shown = found.map(([name, { serves: _serves, ...check }]) => [name, check] as const);
    return { status: statusOf(found.map(([, look]) => look)), checks: Object.fromEntries(shown) };
  };
}
