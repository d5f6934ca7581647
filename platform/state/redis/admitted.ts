import type { AdmittedAudits, AdmittedCount } from '../admitted-audits.ts';
import { type Admission, CUSTOMERS } from '../port.ts';
import { CLOCK, redisScript } from './connection/script.ts';
import type { RedisKeys } from './keys.ts';
import type { RedisState } from './redis-state.ts';

const MINUTE_MS = 60_000;

/** A customer's count, a hash: epoch, since, total. Needs CLOCK. `epoch`, `acceptedAt`, `count`: decimal texts. */
export const ADMITTED = `
local function countAdmitted(customer, key, epoch, acceptedAt, count)
  -- A customer that is being erased gets no new count.
  if redis.call('HGET', customer, 'active') ~= '1' then return end
  local held = redis.call('HMGET', key, 'epoch', 'since')
  local begun = tonumber(held[1] or 0)
  if begun > tonumber(epoch) then return end
  local at = tonumber(acceptedAt)
  local since = begun == tonumber(epoch) and tonumber(held[2]) or at
  if at < since - ${MINUTE_MS} then return end
  if begun < tonumber(epoch) then
    redis.call('DEL', key)
    redis.call('HSET', key, 'epoch', epoch)
  end
  redis.call('HSET', key, 'since', exact(math.min(since, at)))
  redis.call('HINCRBY', key, 'total', count)
end
`;

/** KEYS: customer, count. ARGV: now, epoch, acceptedAt, count. */
const COUNT = redisScript(CLOCK, ADMITTED, 'countAdmitted(KEYS[1], KEYS[2], ARGV[2], ARGV[3], ARGV[4])');

/** Keys that a counting script uses. */
export const admittedKeys = (keys: RedisKeys, customerId: string): string[] => [
  keys.document({ scope: customerId, collection: CUSTOMERS, id: customerId }),
  keys.admitted(customerId),
];
export const admittedArgs = ({ epoch, acceptedAt, count }: AdmittedAudits): number[] => [
  epoch,
  acceptedAt,
  count,
];

export function createRedisAdmitted({
  connection,
  keys,
  now,
}: Pick<RedisState, 'connection' | 'keys' | 'now'>): Pick<
  Admission,
  'countAdmitted' | 'admittedCount' | 'removeAdmittedCount'
> {
  return {
    async countAdmitted(admitted) {
      await Promise.all(
        admitted.map((one) =>
          connection.run(COUNT, admittedKeys(keys, one.customerId), [now(), ...admittedArgs(one)]),
        ),
      );
    },
    async admittedCount(customerId) {
      const flat = (await connection.call('HGETALL', keys.admitted(customerId))) as string[];
      return flat.length === 0 ? null : countOf(flat);
    },
    async removeAdmittedCount(customerId) {
      await connection.call('DEL', keys.admitted(customerId));
    },
  };
}

/** `flat`: fields and values, alternating. */
function countOf(flat: readonly string[]): AdmittedCount {
  const values = new Map<string, number>();
  for (let at = 0; at < flat.length; at += 2) values.set(flat[at]!, Number(flat[at + 1]));
  const of = (field: string): number => values.get(field) ?? 0;
  return { epoch: of('epoch'), since: of('since'), total: of('total') };
}
