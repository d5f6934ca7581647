import type { Stream } from '../stream/run-stream.ts';

export interface ReadinessReport {
  readonly status: 'ready' | 'unready';
  readonly checks: Record<string, { readonly ok: boolean; readonly message?: string }>;
}

const PING_LIMIT_MS = 2_000;

async function answers(ping: () => Promise<void>): Promise<{ ok: boolean; message?: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, PING_LIMIT_MS, 'late');
  });
  try {
    const outcome = await Promise.race([ping(), late]);
    return outcome === 'late' ? { ok: false, message: `no answer within ${PING_LIMIT_MS} ms` } : { ok: true };
  } catch {
    // The text of an adapter's error is for the log, not for everybody who asks.
    return { ok: false, message: 'cannot be reached' };
  } finally {
    clearTimeout(timer);
  }
}

function streamCheck(stream: Stream): { ok: boolean; message?: string } {
  const health = stream.health();
  if (health.ready) return { ok: true };
  if (health.stopped !== null) return { ok: false, message: 'stopped by itself; see the log' };
  if (!health.joined) return { ok: false, message: 'has not joined its group' };
  if (!health.healthy) return { ok: false, message: 'waits for a part that cannot be reached' };
  return { ok: false, message: `records wait and the offset does not move: ${health.stalled.join(', ')}` };
}

/** Parts that a service needs, by the name under which readiness speaks of them. */
export type Pings = Readonly<Record<string, { ping(): Promise<void> }>>;

/** Whether every part can be reached and every consumer works. Never says what went through them. */
export function readinessOf(
  parts: Pings,
  streams: Readonly<Record<string, Stream>>,
): () => Promise<ReadinessReport> {
  return async () => {
    const names = Object.keys(parts);
    const found = await Promise.all(Object.values(parts).map((part) => answers(() => part.ping())));
    const checks: ReadinessReport['checks'] = Object.fromEntries(
      names.map((name, index) => [name, found[index] as (typeof found)[number]]),
    );
    for (const [name, stream] of Object.entries(streams)) checks[name] = streamCheck(stream);
    const ready = Object.values(checks).every(({ ok }) => ok);
    return { status: ready ? 'ready' : 'unready', checks };
  };
}
