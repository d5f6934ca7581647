import {
  ATTEMPT_BYTES,
  answerBytes,
  COUNT_LIFE_MS,
  COUNTED_PERIODS,
  PERIOD_MS,
} from '../lmdb/remembered-bytes.ts';
import {
  type AttemptStart,
  type Idempotency,
  type IdempotencyKey,
  LEASE_MS,
  REMEMBERED_MS,
  type RememberedAnswer,
} from '../port.ts';
import { ADMITTED, admittedArgs, admittedKeys } from './admitted.ts';
import { CLEANING_SLACK_MS, CLOCK, redisScript } from './connection/script.ts';
import type { RedisState } from './redis-state.ts';

/**
 * The attempts under an idempotency key, as used by the scripts for ingest and for all other requests. They are packed
 * into one string, because a day's keys are in memory: digest, seed (JSON), leasedUntil, takenOver, answer (JSON),
 * endsAt; ingest adds fields. Each write extends the record's life to a day. Needs CLOCK.
 */
export const ATTEMPTS = `
local function readAttempts(key)
  local packed = redis.call('GET', key)
  local held = packed and cmsgpack.unpack(packed)
  if not held or held.endsAt <= now then return nil end
  return held
end
local function writeAttempts(key, attempts)
  attempts.endsAt = now + ${REMEMBERED_MS}
  redis.call('SET', key, cmsgpack.pack(attempts), 'PX', ${REMEMBERED_MS + CLEANING_SLACK_MS})
end
local function lease(key, attempts, untilMs)
  attempts.leasedUntil = untilMs
  writeAttempts(key, attempts)
end
local function joinAttempts(key, digest)
  local held = readAttempts(key)
  if not held then return nil end
  if held.digest ~= digest then return { 'mismatch' } end
  if held.answer then return { 'replay', held.answer } end
  if held.leasedUntil > now and held.leasedUntil <= now + ${LEASE_MS} then return { 'inFlight' } end
  held.takenOver = true
  lease(key, held, now + ${LEASE_MS})
  return { 'begun', held.seed, 1 }, held
end
`;

/** The counts of `remembered-bytes.ts`. A budget of '' means unlimited. Needs CLOCK. */
export const REMEMBERED_BYTES = `
local stretch = math.floor(now / ${PERIOD_MS})
local function fullFor(key, bytes, budget)
  if budget == '' then return nil end
  local sum, counts = bytes, redis.call('HGETALL', key)
  for i = 1, #counts, 2 do
    if tonumber(counts[i]) >= stretch - ${COUNTED_PERIODS} then sum = sum + tonumber(counts[i + 1]) end
  end
  if sum <= tonumber(budget) then return nil end
  return { 'full', (stretch + 1) * ${PERIOD_MS} - now }
end
local function remember(key, bytes)
  if redis.call('HINCRBY', key, stretch, bytes) == bytes then
    for _, at in ipairs(redis.call('HKEYS', key)) do
      if tonumber(at) < stretch - ${COUNTED_PERIODS} then redis.call('HDEL', key, at) end
    end
    redis.call('PEXPIRE', key, ${COUNT_LIFE_MS})
  end
end
local function giveBytesBack(key, bytes)
  local held = tonumber(redis.call('HGET', key, stretch) or 0)
  if held > 0 then redis.call('HINCRBY', key, stretch, -math.min(held, bytes)) end
end
`;

/** KEYS: attempts, bytes. ARGV: now, digest, seed, budget. */
const BEGIN = redisScript(
  CLOCK,
  ATTEMPTS,
  REMEMBERED_BYTES,
  `
local joined = joinAttempts(KEYS[1], ARGV[2])
if joined then return joined end
local full = fullFor(KEYS[2], ${ATTEMPT_BYTES}, ARGV[4])
if full then return full end
remember(KEYS[2], ${ATTEMPT_BYTES})
lease(KEYS[1], { digest = ARGV[2], seed = ARGV[3] }, now + ${LEASE_MS})
return { 'begun', ARGV[3], 0 }
`,
);

/**
 * Only the answer of an answered request is kept. KEYS: attempts, bytes; when audits are counted, customer and count.
 * ARGV: now, digest, answer, its bytes; then epoch, acceptedAt and count of the audits.
 */
const SETTLE = redisScript(
  CLOCK,
  ATTEMPTS,
  ADMITTED,
  REMEMBERED_BYTES,
  `
local held = readAttempts(KEYS[1])
if held and held.answer then return held.answer end
writeAttempts(KEYS[1], { digest = held and held.digest or ARGV[2], answer = ARGV[3] })
remember(KEYS[2], tonumber(ARGV[4]))
if KEYS[3] then countAdmitted(KEYS[3], KEYS[4], ARGV[5], ARGV[6], ARGV[7]) end
return ARGV[3]
`,
);

/** KEYS: attempts, bytes. ARGV: now. */
const FORGET = redisScript(
  CLOCK,
  ATTEMPTS,
  REMEMBERED_BYTES,
  `
local held = readAttempts(KEYS[1])
if not held or held.answer then return end
if held.takenOver then
  lease(KEYS[1], held, 0)
else
  redis.call('DEL', KEYS[1])
  giveBytesBack(KEYS[2], ${ATTEMPT_BYTES})
end
`,
);

/** ARGV: now. */
const RELEASE = redisScript(
  CLOCK,
  ATTEMPTS,
  `
local held = readAttempts(KEYS[1])
if held and not held.answer then lease(KEYS[1], held, 0) end
`,
);

/** Reply of a script that joined or started an attempt. */
export type BegunReply =
  | readonly ['begun', seed: string, takenOver: number]
  | readonly ['replay', answer: string]
  | readonly ['inFlight' | 'mismatch']
  | readonly ['full', retryAfterMs: number];

export function begunOf<Seed>(reply: BegunReply): AttemptStart<Seed> {
  if (reply[0] === 'begun')
    return { kind: 'begun', seed: JSON.parse(reply[1]) as Seed, takenOver: reply[2] === 1 };
  if (reply[0] === 'replay') return { kind: 'replay', answer: JSON.parse(reply[1]) as RememberedAnswer };
  if (reply[0] === 'full') return { kind: 'full', retryAfterMs: reply[1] };
  return { kind: reply[0] };
}

export function createRedisIdempotency({
  connection,
  keys,
  now,
}: Pick<RedisState, 'connection' | 'keys' | 'now'>): Idempotency {
  const attempts = (scope: string, { key }: IdempotencyKey): string[] => [
    keys.attempts(scope, key),
    keys.remembered(scope),
  ];
  return {
    async begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed): Promise<AttemptStart<Seed>> {
      const { bodyDigest, budgetBytes } = idempotency;
      const args = [now(), bodyDigest, JSON.stringify(seed), budgetBytes ?? ''];
      return begunOf((await connection.run(BEGIN, attempts(scope, idempotency), args)) as BegunReply);
    },
    async settle(scope, idempotency, answer, admitted) {
      const counted = admitted === undefined ? [] : [admitted];
      const named = [
        ...attempts(scope, idempotency),
        ...counted.flatMap(({ customerId }) => admittedKeys(keys, customerId)),
      ];
      const text = JSON.stringify(answer);
      const baseArgs = [now(), idempotency.bodyDigest, text, answerBytes(answer)];
      const args = [...baseArgs, ...counted.flatMap(admittedArgs)];
      return JSON.parse((await connection.run(SETTLE, named, args)) as string);
    },
    async forget(scope, idempotency) {
      await connection.run(FORGET, attempts(scope, idempotency), [now()]);
    },
    async release(scope, idempotency) {
      await connection.run(RELEASE, attempts(scope, idempotency), [now()]);
    },
  };
}
