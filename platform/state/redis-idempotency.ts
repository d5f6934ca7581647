import {
  type Begun,
  type Idempotency,
  type IdempotencyKey,
  LEASE_MS,
  REMEMBERED_MS,
  type RememberedAnswer,
} from './port.ts';
import { ADMITTED, admittedArgs, admittedKeys } from './redis-admitted.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { CLEANING_SLACK_MS, CLOCK, redisScript } from './redis-script.ts';

/**
 * The attempts under an idempotency key, as the scripts of ingest and of every other request handle them, packed into
 * one string, because a day's keys are held in memory: digest, seed (JSON), leasedUntil, takenOver, answer (JSON),
 * endsAt; ingest adds its own. Each write lets the record live on for a day. Needs CLOCK.
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

/** ARGV: now, digest, seed. */
const BEGIN = redisScript(
  CLOCK,
  ATTEMPTS,
  `
local joined = joinAttempts(KEYS[1], ARGV[2])
if joined then return joined end
lease(KEYS[1], { digest = ARGV[2], seed = ARGV[3] }, now + ${LEASE_MS})
return { 'begun', ARGV[3], 0 }
`,
);

/**
 * Of an answered request nothing is kept but the answer. KEYS: attempts; when audits are counted, customer and count.
 * ARGV: now, digest, answer; then epoch, acceptedAt and count of the audits.
 */
const SETTLE = redisScript(
  CLOCK,
  ATTEMPTS,
  ADMITTED,
  `
local held = readAttempts(KEYS[1])
if held and held.answer then return held.answer end
writeAttempts(KEYS[1], { digest = held and held.digest or ARGV[2], answer = ARGV[3] })
if KEYS[2] then countAdmitted(KEYS[2], KEYS[3], ARGV[4], ARGV[5], ARGV[6]) end
return ARGV[3]
`,
);

/** ARGV: now. */
const FORGET = redisScript(
  CLOCK,
  ATTEMPTS,
  `
local held = readAttempts(KEYS[1])
if not held or held.answer then return end
if held.takenOver then lease(KEYS[1], held, 0) else redis.call('DEL', KEYS[1]) end
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

/** What a script answers that joined or began an attempt. */
export type BegunReply =
  | readonly ['begun', seed: string, takenOver: number]
  | readonly ['replay', answer: string]
  | readonly ['inFlight' | 'mismatch'];

export function begunOf<Seed>(reply: BegunReply): Begun<Seed> {
  if (reply[0] === 'begun')
    return { kind: 'begun', seed: JSON.parse(reply[1]) as Seed, takenOver: reply[2] === 1 };
  if (reply[0] === 'replay') return { kind: 'replay', answer: JSON.parse(reply[1]) as RememberedAnswer };
  return { kind: reply[0] };
}

interface IdempotencyParts {
  readonly connection: RedisConnection;
  readonly keys: RedisKeys;
  readonly now: () => number | '';
}

export function createRedisIdempotency({ connection, keys, now }: IdempotencyParts): Idempotency {
  const attempts = (scope: string, { key }: IdempotencyKey): string[] => [keys.attempts(scope, key)];
  return {
    async begin<Seed>(scope: string, idempotency: IdempotencyKey, seed: Seed): Promise<Begun<Seed>> {
      const args = [now(), idempotency.bodyDigest, JSON.stringify(seed)];
      return begunOf((await connection.run(BEGIN, attempts(scope, idempotency), args)) as BegunReply);
    },
    async settle(scope, idempotency, answer, admitted) {
      const counted = admitted === undefined ? [] : [admitted];
      const named = [
        ...attempts(scope, idempotency),
        ...counted.flatMap(({ customerId }) => admittedKeys(keys, customerId)),
      ];
      const args = [now(), idempotency.bodyDigest, JSON.stringify(answer), ...counted.flatMap(admittedArgs)];
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
