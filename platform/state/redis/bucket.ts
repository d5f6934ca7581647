import type { RateState } from '../port.ts';
import { MAX_AHEAD_MS } from '../token-bucket.ts';
import { CLEANING_SLACK_MS } from './connection/script.ts';

/**
 * The token bucket of `token-bucket.ts` in Lua, whose numbers are also doubles; a property test compares the two.
 * `takeTokens` returns limit, remaining, resetAt, retryAfterMs and stores the bucket. A full bucket is equivalent to
 * none, so the key may expire when the bucket is full. Needs CLOCK.
 */
export const TOKEN_BUCKET = `
local function waitMs(missing, rate)
  if missing <= 0 then return 0 end
  return math.min(86400000, math.ceil(missing / rate))
end
local function takeTokens(key, rate, burst, cost)
  local full = burst * 1000
  local held = redis.call('HMGET', key, 'milliTokens', 'refilledAt')
  local tokens = tonumber(held[1] or full)
  local refilledAt = tonumber(held[2] or now)
  tokens = math.min(full, tokens + math.max(0, now - refilledAt) * rate)
  refilledAt = math.max(now, math.min(refilledAt, now + ${MAX_AHEAD_MS}))
  local asked = cost * 1000
  local admitted = tokens >= asked
  if admitted then tokens = tokens - asked end
  redis.call('HSET', key, 'milliTokens', exact(tokens), 'refilledAt', exact(refilledAt))
  local fullInMs = math.max(0, refilledAt - now) + math.max(0, full - tokens) / rate
  if fullInMs < 1e12 then
    redis.call('PEXPIRE', key, math.ceil(fullInMs) + ${CLEANING_SLACK_MS})
  else
    redis.call('PERSIST', key)
  end
  local retryAfterMs = 0
  if not admitted then retryAfterMs = math.max(1, waitMs(math.min(asked, full) - tokens, rate)) end
  return { exact(burst), math.floor(tokens / 1000), exact(now + waitMs(full - tokens, rate)), retryAfterMs }
end
`;

/** The script's reply for a bucket. */
export type RateReply = readonly [limit: string, remaining: number, resetAt: string, retryAfterMs: number];

export const rateState = ([limit, remaining, resetAt, retryAfterMs]: RateReply): RateState => ({
  limit: Number(limit),
  remaining,
  resetAt: Number(resetAt),
  retryAfterMs,
});
