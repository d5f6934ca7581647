import type { PendingMark } from '../pending-mark.ts';
import { type Admission, API_KEYS, CUSTOMERS, PENDING_MARK_MS } from '../port.ts';
import { createRedisAdmitted } from './admitted.ts';
import { type RateReply, rateState, TOKEN_BUCKET } from './bucket.ts';
import { rememberedClaims } from './claims.ts';
import { UNCONFIRMED } from './connection/replication.ts';
import { CLOCK, redisScript } from './connection/script.ts';
import { READ_ENDING, WRITE_ENDING } from './expiring.ts';
import { parsedCustomers } from './parsed-customers.ts';
import { markRemover, markRoom } from './pending-marks.ts';
import type { RedisState } from './redis-state.ts';
import { createRedisReserve } from './reserve.ts';
import { createRedisSessions } from './sessions.ts';

const MINUTE_MS = 60_000;

/**
 * KEYS: key document, customer, bucket, last use, the customer's flag. ARGV: now, key id, text that the key's JSON must
 * contain.
 */
const AUTHENTICATE = redisScript(
  CLOCK,
  TOKEN_BUCKET,
  `
if redis.call('EXISTS', KEYS[5]) == 1 then return '${UNCONFIRMED}' end
local customer = redis.call('HMGET', KEYS[2], 'active', 'ratePerSecond', 'burst', 'json')
if customer[1] ~= '1' or redis.call('HGET', KEYS[1], 'status') ~= 'active' then return nil end
if not string.find(redis.call('HGET', KEYS[1], 'json'), ARGV[3], 1, true) then return nil end
local rate = takeTokens(KEYS[3], tonumber(customer[2]), tonumber(customer[3]), 1)
local used = tonumber(redis.call('HGET', KEYS[4], ARGV[2]))
if not used or math.floor(used / ${MINUTE_MS}) ~= math.floor(now / ${MINUTE_MS}) then
  redis.call('HSET', KEYS[4], ARGV[2], exact(now))
end
return { customer[4], rate }
`,
);

/** KEYS: customer, bucket, the customer's flag. ARGV: now, cost. */
const TAKE_RATE = redisScript(
  CLOCK,
  TOKEN_BUCKET,
  `
if redis.call('EXISTS', KEYS[3]) == 1 then return '${UNCONFIRMED}' end
local customer = redis.call('HMGET', KEYS[1], 'active', 'ratePerSecond', 'burst')
if customer[1] ~= '1' then return { '0', 0, exact(now + ${MINUTE_MS}), ${MINUTE_MS} } end
return takeTokens(KEYS[2], tonumber(customer[2]), tonumber(customer[3]), tonumber(ARGV[2]))
`,
);

/** KEYS: bucket. ARGV: now, rate, size, cost. */
const TAKE_FROM = redisScript(
  CLOCK,
  TOKEN_BUCKET,
  `return takeTokens(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))`,
);

interface AdmissionOptions extends RedisState {
  readonly maxPendingMarks?: number | undefined;
}

export function createRedisAdmission(options: AdmissionOptions): Admission {
  const { connection, writes, keys, now } = options;
  const customerKey = (id: string): string => keys.document({ scope: id, collection: CUSTOMERS, id });
  const customerFrom = parsedCustomers();
  const claimOf = rememberedClaims(
    (name) => connection.call('GET', keys.claim(name)) as Promise<string | null>,
  );

  return {
    ...createRedisReserve({ ...options, room: markRoom(options) }),
    ...createRedisAdmitted(options),
    ...createRedisSessions(options, customerFrom),

    async authenticate(keyHash) {
      const claim = await claimOf(keyHash);
      if (claim === null) return { outcome: 'unknown' };
      const { customerId, keyId } = claim;
      const flag = keys.unconfirmed(customerId);
      const run = () =>
        connection.run(
          AUTHENTICATE,
          [
            keys.document({ scope: customerId, collection: API_KEYS, id: keyId }),
            customerKey(customerId),
            keys.bucket(customerId),
            keys.lastUsed(customerId),
            flag,
          ],
          // Quotes in a JSON string are escaped, so no other field can contain this.
          [now(), keyId, `"keyHash":"${keyHash}"`],
        );
      const reply = (await writes.confirmed(flag, run)) as [customer: string, rate: RateReply] | null;
      if (reply === null) return { outcome: 'unknown' };
      const rate = rateState(reply[1]);
      const customer = customerFrom(customerId, reply[0]);
      return { outcome: rate.retryAfterMs > 0 ? 'limited' : 'admitted', customerId, keyId, customer, rate };
    },

    async takeRate(customerId, cost) {
      const flag = keys.unconfirmed(customerId);
      const used = [customerKey(customerId), keys.bucket(customerId), flag];
      const run = () => connection.run(TAKE_RATE, used, [now(), cost]);
      return rateState((await writes.confirmed(flag, run)) as RateReply);
    },

    async takeFrom(bucket, { ratePerSecond, burst }, cost) {
      const args = [now(), ratePerSecond, burst, cost];
      return rateState((await connection.run(TAKE_FROM, [keys.namedBucket(bucket)], args)) as RateReply);
    },

    async pendingMark(customerId, auditId) {
      const json = (await connection.run(READ_ENDING, [keys.mark(customerId, auditId)], [now()])) as
        | string
        | null;
      return json === null ? null : (JSON.parse(json) as PendingMark);
    },
    async setPendingMark(customerId, auditId, mark) {
      const args = [now(), JSON.stringify(mark), PENDING_MARK_MS];
      await connection.run(WRITE_ENDING, [keys.mark(customerId, auditId)], args);
    },
    removePendingMarks: markRemover(options),

    async lastUsed(customerId) {
      const rows = (await connection.call('HGETALL', keys.lastUsed(customerId))) as string[];
      return new Map(
        Array.from({ length: rows.length / 2 }, (_, row) => [rows[2 * row]!, Number(rows[2 * row + 1])]),
      );
    },
  };
}
