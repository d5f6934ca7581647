import { createHash } from 'node:crypto';

/**
 * A Lua script, which Redis runs as one atomic step. Scripts never decode or encode the JSON of a document, because
 * Lua's JSON loses precision and empty lists: values that a script reads are in separate fields, and JSON is only
 * copied or concatenated from whole pieces. A script decides first and writes last, because scripts are not rolled
 * back.
 */
export interface RedisScript {
  readonly lua: string;
  /** SHA-1, by which Redis identifies a cached script. */
  readonly sha: string;
  /** The server refuses every write in the script, so read permission on its keys is enough. */
  readonly isReadOnly: boolean;
}

export const redisScript = (...parts: readonly string[]): RedisScript => {
  const lua = parts.join('\n');
  return { lua, sha: createHash('sha1').update(lua).digest('hex'), isReadOnly: false };
};

/** A script that writes nothing. */
export const readingScript = (...parts: readonly string[]): RedisScript => ({
  ...redisScript(...parts),
  isReadOnly: true,
});

/** A key's TTL is this much longer than its value's life, so that only the comparison with `now` decides; ms. */
export const CLEANING_SLACK_MS = 60_000;

/** `now`, Unix ms: the first argument, or the server's own clock when it is empty. */
export const CLOCK = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function exact(number) return string.format('%.17g', number) end
`;

/** Strings that expire, stored as `<expiry> <value>`. Needs CLOCK. */
export const ENDING_STRINGS = `
local function live(key)
  local held = redis.call('GET', key)
  if not held then return nil end
  local space = string.find(held, ' ', 1, true)
  if tonumber(string.sub(held, 1, space - 1)) <= now then return nil end
  return string.sub(held, space + 1)
end
local function keep(key, value, ttl)
  redis.call('SET', key, exact(now + ttl) .. ' ' .. value, 'PX', math.ceil(ttl) + ${CLEANING_SLACK_MS})
end
`;
