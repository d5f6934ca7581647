import type { Expiring } from './port.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { CLOCK, ENDING_STRINGS, redisScript } from './redis-script.ts';

/** Answers the value of an ending string, or nothing. ARGV: now. */
export const READ_ENDING = redisScript(CLOCK, ENDING_STRINGS, 'return live(KEYS[1])');
/** ARGV: now, value, life in ms. */
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

interface ExpiringParts {
  readonly connection: RedisConnection;
  readonly keys: RedisKeys;
  /** First argument of every script: the time, or '' for the server's clock. */
  readonly now: () => number | '';
}

export function createRedisExpiring({ connection, keys, now }: ExpiringParts): Expiring {
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
    async delete(key) {
      await connection.call('DEL', keys.expiring(key));
    },
  };
}
