import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { State } from '#platform/state/port.ts';
import { openRedisState } from '#platform/state/redis/state.ts';
import {
  CUSTOMER,
  idempotencyKey,
  KEY_HASH,
  NOON,
  reserveRequest,
  seedCustomer,
} from '#platform/state/testing/contract-seed.ts';

/**
 * What admission costs: calls per second, latency and CPU, on the embedded state or on Redis.
 *
 *   npm run --silent build && node dist/bench/state.js [seconds per scenario] [--redis URL]
 *
 * "loop" is the event loop's busy time; "cpu" adds the other threads of this process. Each audit's mark is removed
 * again, as the sink does, so that the data are as large as in operation.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { redis: { type: 'string' } } });
const seconds = Number(positionals[0] ?? 2);
const UNLIMITED = { ratePerSecond: 1e9, burst: 1e9 };

type Call = (state: State, id: string) => Promise<unknown>;

const authenticate: Call = (state) => state.admission.authenticate(KEY_HASH);

const ingest: Call = async (state, id) => {
  await state.admission.authenticate(KEY_HASH);
  await state.admission.reserve(reserveRequest([id]));
  void state.admission.removePendingMarks([{ customerId: CUSTOMER, auditId: id }]);
};

const ingestWithKey: Call = async (state, id) => {
  const idempotency = idempotencyKey(id);
  await state.admission.authenticate(KEY_HASH);
  await state.admission.reserve(reserveRequest([id], { idempotency }));
  await state.idempotency.settle(CUSTOMER, idempotency, { statusCode: 202, body: '{"success":true}' });
  void state.admission.removePendingMarks([{ customerId: CUSTOMER, auditId: id }]);
};

interface Opened {
  readonly state: State;
  remove(): Promise<void>;
}

async function openEmbedded(): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-state-'));
  const state = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: () => NOON });
  return { state, remove: () => rm(folder, { recursive: true }) };
}

async function openRedis(url: string): Promise<Opened> {
  const keyPrefix = `bench-${process.pid}:`;
  const state = await openRedisState({ url, keyPrefix });
  const remove = async (): Promise<void> => {
    const redis = new Redis(url);
    for await (const keys of redis.scanStream({ match: `${keyPrefix}*`, count: 1_000 }))
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    await redis.quit();
  };
  return { state, remove };
}

async function measure(name: string, call: Call, inFlight: number): Promise<void> {
  const { state, remove } = await (values.redis === undefined ? openEmbedded() : openRedis(values.redis));
  await seedCustomer(state, UNLIMITED);
  const latencies: number[] = [];
  let started = 0;
  const cpuBefore = process.cpuUsage();
  const loopBefore = performance.eventLoopUtilization();
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let at = performance.now(); at < end; ) {
        started += 1;
        await call(state, `0193-${String(started).padStart(12, '0')}`);
        const done = performance.now();
        latencies.push(done - at);
        at = done;
        // Authenticating waits for nothing; this yields to the loop as between requests.
        if (latencies.length % 256 === 0) await new Promise(setImmediate);
      }
    }),
  );
  const elapsedMs = performance.now() - begin;
  const cpu = process.cpuUsage(cpuBefore);
  const loop = performance.eventLoopUtilization(loopBefore);
  const calls = latencies.length;
  latencies.sort((left, right) => left - right);
  const quantile = (share: number): string => latencies[Math.floor(calls * share)]!.toFixed(3);
  process.stdout.write(
    `${name.padEnd(30)} in flight ${String(inFlight).padStart(2)}  ${String(Math.round((calls / elapsedMs) * 1_000)).padStart(7)}/s` +
      `  p50 ${quantile(0.5)} ms  p99 ${quantile(0.99)} ms` +
      `  loop ${((loop.active * 1_000) / calls).toFixed(1)} us  cpu ${((cpu.user + cpu.system) / calls).toFixed(1)} us\n`,
  );
  await state.close();
  await remove();
}

for (const inFlight of [1, 64]) {
  await measure('authenticate', authenticate, inFlight);
  await measure('authenticate+reserve', ingest, inFlight);
  await measure('authenticate+reserve+settle', ingestWithKey, inFlight);
}
