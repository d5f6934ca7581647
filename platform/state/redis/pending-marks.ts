import { type Admission, PENDING_MARK_MS } from '../port.ts';
import type { RedisConnection } from './connection/connection.ts';
import { CLOCK, redisScript } from './connection/script.ts';
import type { RedisKeys } from './keys.ts';

/**
 * Maximum number of pending marks of one customer: typically 80 MB of the server's memory, 200 MB with the largest
 * marks. Otherwise a customer that sends faster than the sink stores, or while the sink is stopped, could fill the
 * shared memory within its rate limit. Further audits are accepted without a mark: until the sink has stored them, a
 * request for one gets the advice to retry, because the list lags.
 */
export const MAX_PENDING_MARKS = 200_000;

/** Memory of the largest mark on the server, including key and overhead, for the longest names. Most take 400. */
export const LARGEST_MARK_BYTES = 1_024;

/** Marks are counted by the period in which they were set, because most are removed and the others expire. */
const PERIOD_MS = PENDING_MARK_MS / 4;
const COUNTED_PERIODS = PENDING_MARK_MS / PERIOD_MS;
const COUNT_LIFE_MS = PENDING_MARK_MS + 2 * PERIOD_MS;

/** Marks removed per command, which is one atomic step of the server. */
const MARKS_PER_COMMAND = 1_000;
/** Marks set by this process between two counts, so that an audit costs no extra command. */
const MARKS_PER_COUNT = 1_000;
/**
 * Maximum number of customers whose marks this process counts; the least recently seen is evicted and restarts from
 * zero.
 */
const MAX_CUSTOMERS = 10_000;

/** KEYS: counts. ARGV: now, number of marks set. Returns how many there are. */
const COUNT = redisScript(
  CLOCK,
  `
local period = math.floor(now / ${PERIOD_MS})
redis.call('HINCRBY', KEYS[1], period, ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${COUNT_LIFE_MS})
local sum, counts = 0, redis.call('HGETALL', KEYS[1])
for i = 1, #counts, 2 do
  if tonumber(counts[i]) >= period - ${COUNTED_PERIODS} then
    sum = sum + tonumber(counts[i + 1])
  else
    redis.call('HDEL', KEYS[1], counts[i])
  end
end
return sum
`,
);

/** KEYS: the marks of each group, then the counts of each group. ARGV: period and number of marks of each group. */
const REMOVE = redisScript(`
local groups = #ARGV / 2
local first, counts = 1, #KEYS - groups
for group = 1, groups do
  local last = first + ARGV[2 * group] - 1
  local removed = redis.call('DEL', unpack(KEYS, first, last))
  if removed > 0 then
    local key = KEYS[counts + group]
    -- Marks not counted yet are counted later, so a count may be negative for a while.
    if redis.call('HINCRBY', key, ARGV[2 * group - 1], -removed) == -removed then
      redis.call('PEXPIRE', key, ${COUNT_LIFE_MS})
    end
  end
  first = last + 1
end
`);

interface MarkDependencies {
  readonly connection: Pick<RedisConnection, 'run'>;
  readonly keys: RedisKeys;
  readonly now: () => number | '';
  /** Default: `MAX_PENDING_MARKS`. */
  readonly maxPendingMarks?: number | undefined;
}

/** Reservations of this process call it before and after they set marks. */
export interface MarkRoom {
  /** Resolves to false when the customer has reached the maximum number of marks. */
  has(customerId: string): Promise<boolean>;
  /** Records that `marks` were set; negative: removed again. */
  note(customerId: string, marks: number): Promise<void>;
}

export function markRoom({
  connection,
  keys,
  now,
  maxPendingMarks = MAX_PENDING_MARKS,
}: MarkDependencies): MarkRoom {
  /** Marks set but not counted yet; `full`: as of the last count. */
  const customers = new Map<string, { uncounted: number; full: boolean }>();
  const limit = Math.min(MARKS_PER_COUNT, maxPendingMarks);

  const of = (customerId: string) => {
    const known = customers.get(customerId) ?? { uncounted: 0, full: false };
    customers.delete(customerId);
    customers.set(customerId, known);
    if (customers.size > MAX_CUSTOMERS) customers.delete(customers.keys().next().value as string);
    return known;
  };
  const count = async (customerId: string, known: { uncounted: number; full: boolean }): Promise<void> => {
    const marks = known.uncounted;
    known.uncounted = 0;
    try {
      known.full =
        Number(await connection.run(COUNT, [keys.markCounts(customerId)], [now(), marks])) >= maxPendingMarks;
    } catch {
      // The reservation is valid anyway; its marks are counted with the next ones.
      known.uncounted += marks;
    }
  };
  return {
    async has(customerId) {
      const known = customers.get(customerId);
      if (known?.full !== true) return true;
      await count(customerId, known);
      return !known.full;
    },
    async note(customerId, marks) {
      if (marks === 0) return;
      const known = of(customerId);
      known.uncounted += marks;
      if (Math.abs(known.uncounted) >= limit) await count(customerId, known);
    },
  };
}

/** Unix ms of a UUIDv7: when its audit was accepted and its mark set. Null when it is not a UUIDv7. */
function timeOf(auditId: string): number | null {
  const hex = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(auditId);
  return hex === null ? null : Number.parseInt(`${hex[1]}${hex[2]}`, 16);
}

interface Group {
  readonly customerId: string;
  readonly period: number;
  readonly marks: string[];
}

/** Groups marks by their counter. A mark whose id has no time is not counted. */
function groupsOf(marks: Parameters<Admission['removePendingMarks']>[0], keys: RedisKeys): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { customerId, auditId } of marks) {
    const period = Math.floor((timeOf(auditId) ?? 0) / PERIOD_MS);
    const name = `${customerId} ${period}`;
    const group = groups.get(name) ?? { customerId, period, marks: [] };
    groups.set(name, group);
    group.marks.push(keys.mark(customerId, auditId));
  }
  return [...groups.values()];
}

export function markRemover({
  connection,
  keys,
}: Pick<MarkDependencies, 'connection' | 'keys'>): Admission['removePendingMarks'] {
  const remove = (groups: readonly Group[]): Promise<unknown> =>
    connection.run(
      REMOVE,
      [
        ...groups.flatMap(({ marks }) => marks),
        ...groups.map(({ customerId }) => keys.markCounts(customerId)),
      ],
      groups.flatMap(({ period, marks }) => [period, marks.length]),
    );
  return async (marks) => {
    const commands: Promise<unknown>[] = [];
    for (let from = 0; from < marks.length; from += MARKS_PER_COMMAND)
      commands.push(remove(groupsOf(marks.slice(from, from + MARKS_PER_COMMAND), keys)));
    await Promise.all(commands);
  };
}
