import type { Expiring } from '../port.ts';
import { FLAG, UNCONFIRMED } from './connection/replication.ts';
import { CLEANING_SLACK_MS, CLOCK, ENDING_STRINGS, readingScript, redisScript } from './connection/script.ts';
import type { RedisState } from './redis-state.ts';

/** Returns the value of an expiring string, or nothing. ARGV: now. */
export const READ_ENDING = readingScript(CLOCK, ENDING_STRINGS, 'return live(KEYS[1])');
/** ARGV: now, value, TTL in ms. */
export const WRITE_ENDING = redisScript(CLOCK, ENDING_STRINGS, 'keep(KEYS[1], ARGV[2], tonumber(ARGV[3]))');
const WRITE_IF_ABSENT = redisScript(
  CLOCK,
  ENDING_STRINGS,
  `
if live(KEYS[1]) then return 0 end
keep(KEYS[1], ARGV[2], tonumber(ARGV[3]))
return 1
`,
);

/**
 * KEYS: the value's flag and the value. ARGV: now, value, TTL in ms. The flag expires too: a refused claim renews its
 * TTL, so it may outlive the value by that much, and never expires earlier.
 */
const CLAIM = redisScript(
  CLOCK,
  ENDING_STRINGS,
  FLAG,
  `
local isFree = not live(KEYS[2])
if isFree then keep(KEYS[2], ARGV[2], tonumber(ARGV[3])) end
local told = isFree and flagged() or renewed()
redis.call('PEXPIRE', KEYS[1], math.ceil(tonumber(ARGV[3])) + ${CLEANING_SLACK_MS})
return { told, isFree and 1 or 0 }
`,
);
/** KEYS: value, its flag. ARGV: now. */
const READ_CLAIMED = readingScript(
  CLOCK,
  ENDING_STRINGS,
  `
if redis.call('EXISTS', KEYS[2]) == 1 then return '${UNCONFIRMED}' end
return live(KEYS[1])
`,
);

export function createRedisExpiring({ connection, writes, keys, now }: RedisState): Expiring {
  return {
    async get(key) {
      return (await connection.run(READ_ENDING, [keys.expiring(key)], [now()])) as string | null;
    },
    async set(key, value, ttlMs) {
      await connection.run(WRITE_ENDING, [keys.expiring(key)], [now(), value, ttlMs]);
    },
    async setIfAbsent(key, value, ttlMs) {
      return (await connection.run(WRITE_IF_ABSENT, [keys.expiring(key)], [now(), value, ttlMs])) === 1;
    },
    // One flag per value: a customer has many concurrent claims, which do not wait for each other.
    async claim(key, value, ttlMs) {
      const flag = keys.unconfirmedValue(key);
      const [isFirst] = await writes.run(flag, CLAIM, [keys.expiring(key)], [now(), value, ttlMs]);
      return isFirst === 1;
    },
    async claimed(key) {
      const both = [keys.expiring(key), keys.unconfirmedValue(key)];
      const read = () => connection.run(READ_CLAIMED, both, [now()]);
      return (await writes.confirmed(keys.unconfirmedValue(key), read)) as string | null;
    },
    async delete(key) {
      await connection.call('DEL', keys.expiring(key));
    },
  };
}
