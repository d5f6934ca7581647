import { SYSTEM_SCOPE } from '../port.ts';
import type { RedisRules } from './connection/rules.ts';
import { type RedisKeys, redisKeys } from './keys.ts';

/** Documents of one collection, in customers' scopes or in the system's. */
export interface CollectionRight {
  readonly scope: 'customers' | 'system';
  readonly collection: string;
}

/** What a process may do with the state. */
export interface StateRights {
  /** Collections whose documents may be read by id. */
  readonly reads: readonly CollectionRight[];
  /** Collections whose documents may be listed. */
  readonly lists: readonly CollectionRight[];
  /** Collections that may be written, read and listed. */
  readonly writes: readonly CollectionRight[];
  /** Whether writes may carry ledger entries. */
  readonly makesEntries: boolean;
  /** Prefixes of the expiring values that the process reads, writes and deletes. */
  readonly expiring: readonly string[];
  readonly removesMarks: boolean;
}

/** Everything in the state, including its maintenance. */
export const WHOLE_STATE = 'whole state';

/** For every process that reads documents, because readers remove the flags of unconfirmed writes. */
const READING = [
  ...['INFO', 'EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO', 'TIME', 'WAIT'],
  ...['EXISTS', 'GET', 'SET', 'DEL', 'HMGET', 'SMEMBERS', 'SSCAN'],
];
const WRITING = ['HGET', 'HSET', 'SADD', 'SREM'];
/** Removing marks updates their counts. */
const MARKS = ['HINCRBY', 'PEXPIRE'];
const ENTRIES = ['INCR', 'RPUSH', 'ZADD', 'ZSCORE'];
const EVERYTHING = [
  ...[...READING, ...WRITING, ...ENTRIES, 'HDEL', 'HGETALL', 'HINCRBY', 'HKEYS', 'LRANGE', 'LREM'],
  // An erasure scans all keys, and makes the server rewrite its file.
  ...['PERSIST', 'PEXPIRE', 'ZRANGE', 'ZREM', 'SCAN', 'BGREWRITEAOF'],
];
/** Needed only in a database other than the first. */
const DATABASE = ['SELECT', 'CLIENT INFO'];

/** The same in Redis's terms: the minimum permissions of a user of Redis 7.0 or newer for these rights. */
export function redisRules(
  rights: StateRights | typeof WHOLE_STATE,
  { prefix, database }: { readonly prefix: string; readonly database: number },
): RedisRules {
  const selecting = database === 0 ? [] : DATABASE;
  if (rights === WHOLE_STATE)
    return { keys: [{ pattern: `${prefix}*`, access: 'all' }], commands: [...EVERYTHING, ...selecting] };
  const keys = redisKeys(prefix);
  const { reads, lists, writes, makesEntries } = rights;
  const readable = [
    ...reads.map((one) => keys.document(refOf(one))),
    ...lists.flatMap((one) => listPatterns(keys, one)),
  ];
  const all = [
    keys.unconfirmed('*'),
    ...writes.flatMap((one) => listPatterns(keys, one)),
    ...(makesEntries ? [...writes.map((one) => outboxPattern(keys, one)), `${prefix}worklist*`] : []),
    ...rights.expiring.map((beginning) => `${keys.expiring(beginning)}*`),
    ...(rights.removesMarks ? [keys.mark('*', '*'), keys.markCounts('*')] : []),
  ];
  return {
    keys: [
      ...readable.map((pattern) => ({ pattern, access: 'read' }) as const),
      ...all.map((pattern) => ({ pattern, access: 'all' }) as const),
    ],
    commands: [
      ...READING,
      ...(writes.length > 0 ? WRITING : []),
      ...(makesEntries ? ENTRIES : []),
      ...(rights.removesMarks ? MARKS : []),
      ...selecting,
    ],
  };
}

const refOf = ({ scope, collection }: CollectionRight) => ({
  scope: scope === 'system' ? SYSTEM_SCOPE : '*',
  collection,
  id: '*',
});
/** Names are escaped, so that none can contain the separators next to the stars. */
const listPatterns = (keys: RedisKeys, right: CollectionRight): string[] => {
  const ref = refOf(right);
  return [keys.document(ref), keys.collection(ref.scope, ref.collection)];
};
const outboxPattern = (keys: RedisKeys, right: CollectionRight): string => keys.outbox(refOf(right));
