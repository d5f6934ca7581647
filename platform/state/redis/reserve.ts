import { ATTEMPT_BYTES, ATTEMPT_ITEM_BYTES } from '../lmdb/remembered-bytes.ts';
import {
  type Admission,
  CUSTOMERS,
  type IdempotencyKey,
  LEASE_MS,
  PENDING_MARK_MS,
  type Reservation,
  type ReservedItem,
  type ReserveItem,
  type ReserveRequest,
  SANDBOX_SLUGS,
} from '../port.ts';
import { type RateReply, rateState, TOKEN_BUCKET } from './bucket.ts';
import { UNCONFIRMED } from './connection/replication.ts';
import { CLOCK, ENDING_STRINGS, redisScript } from './connection/script.ts';
import { ATTEMPTS, type BegunReply, begunOf, REMEMBERED_BYTES } from './idempotency.ts';
import type { RedisKeys } from './keys.ts';
import type { MarkRoom } from './pending-marks.ts';
import type { RedisState } from './redis-state.ts';

/**
 * KEYS: customer, bucket, counts, attempts, the customer's flag, remembered bytes; then the slug's document and the
 * mark of each item. ARGV: now, 1 with an idempotency key, body digest, extra rate cost, month, nonce, end of the
 * seed's JSON, budget of remembered bytes, 1 to set marks; then for each item the audit id as JSON and the request's
 * part of its mark.
 *
 * In addition to the seed, the attempts contain nonce and marks (key and value, alternating): a take-over refreshes the
 * marks, and `ABANDON` compares both.
 */
const RESERVE = redisScript(
  CLOCK,
  ENDING_STRINGS,
  TOKEN_BUCKET,
  ATTEMPTS,
  REMEMBERED_BYTES,
  `
if redis.call('EXISTS', KEYS[5]) == 1 then return '${UNCONFIRMED}' end
local keyed = ARGV[2] == '1'
local function putMarks(marks)
  for i = 1, #marks, 2 do keep(marks[i], marks[i + 1], ${PENDING_MARK_MS}) end
end
if keyed then
  local joined, takenOver = joinAttempts(KEYS[4], ARGV[3])
  if takenOver then putMarks(takenOver.marks or {}) end
  if joined then return joined end
end

local customer = redis.call('HMGET', KEYS[1], 'active', 'ratePerSecond', 'burst', 'auditQuota')
local known = customer[1] == '1'
if known and tonumber(ARGV[4]) > 0 then
  local rate = takeTokens(KEYS[2], tonumber(customer[2]), tonumber(customer[3]), tonumber(ARGV[4]))
  if rate[4] > 0 then return { 'limited', rate } end
end

local left = math.huge
if known and customer[4] ~= '' then
  left = tonumber(customer[4]) - tonumber(redis.call('HGET', KEYS[3], ARGV[5]) or 0)
end
local accepted, items, marks = 0, {}, {}
-- A batch names few sandboxes, each many times.
local heads = {}
local function headOf(key)
  if not heads[key] then heads[key] = redis.call('HMGET', key, 'state', 'names', 'sandboxVersion') end
  return heads[key]
end
local function decide(i)
  local head = known and headOf(KEYS[5 + 2 * i])
  if not head or not head[1] or head[1] == 'deleted' then return '{"refused":"SANDBOX_NOT_FOUND"}' end
  if head[1] == 'inactive' then return '{"refused":"SANDBOX_INACTIVE"}' end
  if accepted >= left then return '{"refused":"AUDIT_LIMIT_REACHED"}' end
  accepted = accepted + 1
  marks[#marks + 1] = KEYS[6 + 2 * i]
  marks[#marks + 1] = '{' .. head[2] .. ',' .. ARGV[9 + 2 * i] .. '}'
  return '{"auditId":' .. ARGV[8 + 2 * i] .. ',' .. head[2] .. ',"sandboxVersion":' .. head[3] .. '}'
end
for i = 1, (#KEYS - 6) / 2 do items[i] = decide(i) end
local seed = '{"items":[' .. table.concat(items, ',') .. ']' .. ARGV[7]
if accepted > 0 then
  local bytes = ${ATTEMPT_BYTES} + accepted * ${ATTEMPT_ITEM_BYTES}
  local full = keyed and fullFor(KEYS[6], bytes, ARGV[8])
  if full then return full end
  if keyed then remember(KEYS[6], bytes) end
  redis.call('HINCRBY', KEYS[3], ARGV[5], accepted)
  if ARGV[9] == '1' then putMarks(marks) end
  if keyed then
    local attempts = { digest = ARGV[3], seed = seed, nonce = ARGV[6], marks = marks }
    lease(KEYS[4], attempts, now + ${LEASE_MS})
  end
end
return { 'begun', seed, 0 }
`,
);

/**
 * KEYS: counts, attempts, remembered bytes, then the marks of the accepted items. ARGV: now, 1 with an idempotency key, 1 when certain,
 * month, nonce.
 */
const ABANDON = redisScript(
  CLOCK,
  ENDING_STRINGS,
  ATTEMPTS,
  REMEMBERED_BYTES,
  `
local keyed, certain, accepted = ARGV[2] == '1', ARGV[3] == '1', #KEYS - 3
local function giveBack()
  -- The mark shows that the item is still counted, so that a repeated call does not release it again.
  local counted = 0
  for i = 4, #KEYS do
    if live(KEYS[i]) then
      redis.call('DEL', KEYS[i])
      counted = counted + 1
    end
  end
  if counted == 0 then return end
  local count = tonumber(redis.call('HGET', KEYS[1], ARGV[4]) or 0)
  redis.call('HSET', KEYS[1], ARGV[4], exact(math.max(0, count - counted)))
end
if not keyed then
  if certain then giveBack() end
  return
end
local held = readAttempts(KEYS[2])
if not held or held.answer then return end
-- An attempt is certain only of itself: the log has no record of the key only when there was no other attempt.
if certain and not held.takenOver and held.nonce == ARGV[5] and #held.marks == 2 * accepted then
  giveBack()
  redis.call('DEL', KEYS[2])
  giveBytesBack(KEYS[3], ${ATTEMPT_BYTES} + accepted * ${ATTEMPT_ITEM_BYTES})
else
  lease(KEYS[2], held, 0)
end
`,
);

const isAccepted = (item: ReservedItem): item is Extract<ReservedItem, { auditId: string }> =>
  'auditId' in item;

/** `2026-11`: quota is counted per UTC month of acceptance. */
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** JSON without its opening or closing brace, to be joined with other pieces. */
const inner = (value: object): string => JSON.stringify(value).slice(1, -1);

interface ReserveOptions extends RedisState {
  readonly room: MarkRoom;
}

/** Placeholder where a script needs a key that the call does not have. */
const attemptsKey = (keys: RedisKeys, customerId: string, idempotency: IdempotencyKey | null): string =>
  keys.attempts(customerId, idempotency?.key ?? '');

/** KEYS of `RESERVE`. */
function keysOf(keys: RedisKeys, { customerId, items, idempotency }: ReserveRequest): string[] {
  const itemKeys = ({ slug, auditId }: ReserveItem): string[] => [
    keys.document({ scope: customerId, collection: SANDBOX_SLUGS, id: slug }),
    keys.mark(customerId, auditId),
  ];
  return [
    keys.document({ scope: customerId, collection: CUSTOMERS, id: customerId }),
    keys.bucket(customerId),
    keys.counts(customerId),
    attemptsKey(keys, customerId, idempotency),
    keys.unconfirmed(customerId),
    keys.remembered(customerId),
    ...items.flatMap(itemKeys),
  ];
}

/** ARGV of `RESERVE`. */
function argumentsOf(request: ReserveRequest, now: number | '', marks: boolean): (string | number)[] {
  const { items, idempotency, acceptedAt, nonce, extraRateCost } = request;
  return [
    now,
    idempotency === null ? 0 : 1,
    idempotency?.bodyDigest ?? '',
    extraRateCost,
    monthOf(acceptedAt),
    nonce,
    `,${inner({ acceptedAt, nonce })}}`,
    idempotency?.budgetBytes ?? '',
    marks ? 1 : 0,
    ...items.flatMap(({ auditId, provider, model }) => [
      JSON.stringify(auditId),
      inner({ acceptedAt, provider, model }),
    ]),
  ];
}

export function createRedisReserve({
  connection,
  writes,
  keys,
  now,
  room,
}: ReserveOptions): Pick<Admission, 'reserve' | 'abandon' | 'auditCount'> {
  return {
    async reserve(request) {
      const { customerId } = request;
      const marks = await room.has(customerId);
      const run = () => connection.run(RESERVE, keysOf(keys, request), argumentsOf(request, now(), marks));
      const rawReply = await writes.confirmed(keys.unconfirmed(customerId), run);
      const reply = rawReply as BegunReply | readonly ['limited', RateReply];
      if (reply[0] === 'limited') return { kind: 'limited', rate: rateState(reply[1]) };
      const outcome = begunOf<Reservation>(reply);
      // A take-over refreshes marks that are already counted.
      if (marks && outcome.kind === 'begun' && !outcome.takenOver)
        await room.note(customerId, outcome.seed.items.filter(isAccepted).length);
      return outcome;
    },

    async abandon(customerId, reservation, idempotency, certain) {
      const accepted = reservation.items.filter(isAccepted);
      await connection.run(
        ABANDON,
        [
          keys.counts(customerId),
          attemptsKey(keys, customerId, idempotency),
          keys.remembered(customerId),
          ...accepted.map(({ auditId }) => keys.mark(customerId, auditId)),
        ],
        [
          now(),
          idempotency === null ? 0 : 1,
          certain ? 1 : 0,
          monthOf(reservation.acceptedAt),
          reservation.nonce,
        ],
      );
      if (certain) await room.note(customerId, -accepted.length);
    },

    async auditCount(customerId, at) {
      return Number((await connection.call('HGET', keys.counts(customerId), monthOf(at))) ?? 0);
    },
  };
}
