import {
  type Admission,
  CUSTOMERS,
  type CustomerAdmission,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SESSIONS,
} from '../port.ts';
import { type RateReply, rateState, TOKEN_BUCKET } from './bucket.ts';
import { UNCONFIRMED } from './connection/replication.ts';
import { CLOCK, redisScript } from './connection/script.ts';
import type { RedisState } from './redis-state.ts';

const MINUTE_MS = 60_000;

/**
 * KEYS: session document, customer, the session's bucket, the customer's flag. ARGV: now, rate, size. The last use is a
 * field of the document's hash, so that it is deleted with the session; losing it in a fail-over ends the session
 * earlier.
 */
const AUTHENTICATE = redisScript(
  CLOCK,
  TOKEN_BUCKET,
  `
if redis.call('EXISTS', KEYS[4]) == 1 then return '${UNCONFIRMED}' end
local customer = redis.call('HMGET', KEYS[2], 'active', 'json')
local session = redis.call('HMGET', KEYS[1], 'userId', 'openedAt', 'usedAt')
if customer[1] ~= '1' or not session[1] then return nil end
local openedAt = tonumber(session[2])
local usedAt = tonumber(session[3] or session[2])
if now >= openedAt + ${SESSION_LIFE_MS} or now >= usedAt + ${SESSION_IDLE_MS} then return nil end
local rate = takeTokens(KEYS[3], tonumber(ARGV[2]), tonumber(ARGV[3]), 1)
if not session[3] or math.floor(usedAt / ${MINUTE_MS}) ~= math.floor(now / ${MINUTE_MS}) then
  redis.call('HSET', KEYS[1], 'usedAt', exact(now))
end
return { customer[2], session[1], rate }
`,
);

/** KEYS: bucket. ARGV: now, rate, size, cost. */
const TAKE = redisScript(
  CLOCK,
  TOKEN_BUCKET,
  `return takeTokens(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))`,
);

export function createRedisSessions(
  { connection, writes, keys, now }: RedisState,
  customerFrom: (customerId: string, json: string) => CustomerAdmission,
): Pick<Admission, 'authenticateSession' | 'takeSessionRate'> {
  return {
    async authenticateSession(customerId, sessionId, { ratePerSecond, burst }) {
      const flag = keys.unconfirmed(customerId);
      const named = [
        keys.document({ scope: customerId, collection: SESSIONS, id: sessionId }),
        keys.document({ scope: customerId, collection: CUSTOMERS, id: customerId }),
        keys.sessionBucket(customerId, sessionId),
        flag,
      ];
      const run = () => connection.run(AUTHENTICATE, named, [now(), ratePerSecond, burst]);
      const reply = (await writes.confirmed(flag, run)) as
        | [customer: string, userId: string, rate: RateReply]
        | null;
      if (reply === null) return { outcome: 'unknown' };
      const [json, userId, taken] = reply;
      const rate = rateState(taken);
      const customer = customerFrom(customerId, json);
      return { outcome: rate.retryAfterMs > 0 ? 'limited' : 'admitted', userId, customer, rate };
    },

    async takeSessionRate(customerId, sessionId, { ratePerSecond, burst }, cost) {
      const bucket = keys.sessionBucket(customerId, sessionId);
      return rateState(
        (await connection.run(TAKE, [bucket], [now(), ratePerSecond, burst, cost])) as RateReply,
      );
    },
  };
}
