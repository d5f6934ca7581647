import { singleFlight } from '#platform/flow/single-flight.ts';
import { withTimeout } from '#platform/flow/with-timeout.ts';
import type { StreamHealth } from '#platform/stream/run-stream.ts';

/** `degraded`: the process performs its primary function and accepts requests, but something else fails. */
export interface ReadinessReport {
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly checks: Record<string, { readonly ok: boolean; readonly message?: string }>;
}

const PING_LIMIT_MS = 2_000;

/** `message` may also accompany `ok: true`, for something that an operator should know. */
export type Check = { ok: boolean; message?: string };
/** `serves`: whether a failing check leaves the process degraded, still accepting requests. */
export type Look = Check & { readonly serves?: boolean };

/**
 * The result of `look`, or that it did not answer in time; `serves`: whether the process then still accepts requests.
 */
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
    // Still accepts requests: everything else works, and the partition would be stopped in another process too.
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
  /** The process is not ready without all of these, because it cannot perform its primary function. */
  readonly needed: Pings;
  /** The process is degraded without all of these, but still performs its primary function. */
  readonly useful?: Pings;
  readonly consumers?: Consumers;
  /** A consumer waiting for a dependency only degrades the process, whose primary function is to accept requests. */
  readonly servesWhileWaiting?: boolean;
  /** A check that does not answer degrades the process; otherwise its result counts. */
  readonly checks?: Readonly<Record<string, () => Promise<Look>>>;
}

interface Source {
  readonly look: () => Promise<Look>;
  /** Whether the process still accepts requests if `look` fails or is late. */
  readonly serves: boolean;
}

const pingsOf = (pings: Pings, serves: boolean): [string, Source][] =>
  Object.entries(pings).map(([name, dependency]) => [
    name,
    { look: () => dependency.ping().then(() => ({ ok: true })), serves },
  ]);

function statusOf(results: readonly Look[]): ReadinessReport['status'] {
  const failing = results.filter(({ ok }) => !ok);
  if (failing.length === 0) return 'ready';
  return failing.every(({ serves }) => serves === true) ? 'degraded' : 'unready';
}

/**
 * Whether the process can perform its primary function, and whether anything else fails. A dependency that has not
 * answered yet is not asked again. Never reveals processed data.
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
  const results = sources.map(([name, { look, serves }]) => {
    const once = singleFlight(look);
    return async () => [name, await inTime(once, serves)] as const;
  });
  return async () => {
    const found = await Promise.all(results.map((look) => look()));
    const shown = found.map(([name, { serves: _serves, ...check }]) => [name, check] as const);
    return { status: statusOf(found.map(([, look]) => look)), checks: Object.fromEntries(shown) };
  };
}
