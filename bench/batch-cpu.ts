import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { resolveLimits } from '#core/plans/plans.ts';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { createRandomPool } from '#platform/sealing/random-pool.ts';
import { loadSigningKey } from '#platform/sealing/signing-key.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type IdempotencyKey, SANDBOX_SLUGS } from '#platform/state/port.ts';
import { createAdmittedCounts } from '#records/audits/admitted-counts.ts';
import type { CustomerRecord } from '#records/documents/records.ts';
import { TOPICS } from '#schemas/topics.ts';
import type { SentBody } from '#services/api/http/bodies/sent-body.ts';
import { answerBatch } from '#services/api/ingest/routes.ts';
import { callerByKey } from '#services/api/operations/caller.ts';
import { printTable } from '../cli/command/output.ts';

/**
 * What ingesting a batch costs the event loop, per triplet of 1.2 KB, on the embedded log and state: reading, checking,
 * reserving, digest, sealing and append; without HTTP and without the downstream services.
 *
 *   npm run --silent build && node dist/bench/batch-cpu.js [batches]
 */
const BATCHES = Number(process.argv[2] ?? 100);
const WARM_UP = 20;
const ITEMS = 1_000;
const IN_FLIGHT = 4;
const TRIPLET_BYTES = 1_200;
const SLUG = 'bench';
const CUSTOMER = v7();

/** CPU time of the calling thread, ms: the event loop's, without the threads of the dependencies. */
const loopCpuMs = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
const allCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const filler = 'The quarterly report lists shipments, returns and open questions of the northern region. ';

function triplet(number: number): string {
  const prompt = `Mail ann.${number}@example.org about order ${number}. ${filler.repeat(8)}`;
  const body = { sandboxSlug: SLUG, provider: 'openai', model: 'gpt-4o', prompt, response: '' };
  body.response = filler.repeat(10).slice(0, TRIPLET_BYTES - JSON.stringify(body).length);
  return JSON.stringify(body);
}

const BODIES: Readonly<Record<string, Buffer>> = {
  'application/json': Buffer.from(`[${Array.from({ length: ITEMS }, (_, n) => triplet(n)).join(',')}]`),
  'application/x-ndjson': Buffer.from(Array.from({ length: ITEMS }, (_, n) => triplet(n)).join('\n')),
};

const sent = (mediaType: string, key: string | null): SentBody => ({
  raw: () => ({ bytes: BODIES[mediaType]!, mediaType, hold: () => undefined }),
  canonical: () => '',
  canonicalObject: () => ({ text: '', members: new Map(), media: null }),
  hold: () => undefined,
  idempotency: (digested = ''): IdempotencyKey | null =>
    key === null ? null : { key, bodyDigest: createHash('sha256').update(digested).digest('hex') },
});

const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-batch-'));
const now = Date.now;
const state = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now });
const log = await openEmbeddedLog({ path: path.join(folder, 'log'), topics: TOPICS, now });
const random = createRandomPool();
const dependencies = {
  state,
  log,
  codec: bundledCodec(),
  keyring: openKeyring({ state, masterKey: randomBytes(32), now, randomBytes: random }),
  signingKey: loadSigningKey(path.join(folder, 'signing.pem'), { create: true }),
  now,
  newId: (at: number) => v7({ msecs: at }),
  randomBytes: random,
  logger: pino({ level: 'warn' }),
};
const submit = {
  ...dependencies,
  admitted: createAdmittedCounts({ ...dependencies, epoch: 1, admission: state.admission }),
};
const overrides = { rate: 1e9, burst: 1e9, auditQuota: null, sandboxQuota: null };
const customer = { ...resolveLimits('ENTERPRISE', overrides), overrides, active: true } as CustomerRecord;
const head = { sandboxId: v7(), sandboxVersion: 1, slug: SLUG, active: true, deleted: false };
await state.documents.write(CUSTOMER, [
  { collection: CUSTOMERS, id: CUSTOMER, value: customer },
  { collection: SANDBOX_SLUGS, id: SLUG, value: head },
]);
const yieldTurn = timeSlice(() => performance.now());

async function one(mediaType: string, keyed: boolean): Promise<void> {
  const caller = callerByKey(CUSTOMER, customer, 'bench');
  const answer = await answerBatch(submit, yieldTurn, caller, sent(mediaType, keyed ? v7() : null));
  if (answer.statusCode !== 202) throw new Error(`the batch was answered with ${answer.statusCode}`);
}

async function run(mediaType: string, keyed: boolean): Promise<(string | number)[]> {
  let left = BATCHES;
  const worker = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await one(mediaType, keyed);
    }
  };
  for (let n = 0; n < WARM_UP; n += 1) await one(mediaType, keyed);
  const [loop, all, began] = [loopCpuMs(), allCpuMs(), performance.now()];
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const triplets = BATCHES * ITEMS;
  const perTriplet = (ms: number): string => ((ms * 1_000) / triplets).toFixed(1);
  return [
    mediaType,
    keyed ? 'yes' : 'no',
    perTriplet(loopCpuMs() - loop),
    perTriplet(allCpuMs() - all),
    Math.round(triplets / ((performance.now() - began) / 1_000)),
  ];
}

try {
  const rows: (string | number)[][] = [];
  for (const mediaType of Object.keys(BODIES))
    for (const keyed of [false, true]) rows.push(await run(mediaType, keyed));
  printTable(['body', 'Idempotency-Key', 'event loop µs', 'all threads µs', 'triplets per s'], rows);
} finally {
  await log.close();
  await state.close();
  await rm(folder, { recursive: true });
}
