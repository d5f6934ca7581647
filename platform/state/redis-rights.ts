import { SYSTEM_SCOPE } from './port.ts';
import { type RedisKeys, redisKeys } from './redis-keys.ts';

/** Documents of one collection: in customers' scopes, or in that of the system. */
export interface CollectionRight {
  readonly scope: 'customers' | 'system';
  readonly collection: string;
}

/** What a process may do with the state. */
export interface StateRights {
  /** Documents of which the id is known. */
  readonly reads: readonly CollectionRight[];
  /** Collections whose documents are read together. */
  readonly lists: readonly CollectionRight[];
  /** May be read and listed too. */
  readonly writes: readonly CollectionRight[];
  /** Ledger entries may be handed over with what is written. */
  readonly makesEntries: boolean;
  /** What the names of the expiring values begin with that it reads, writes and deletes. */
  readonly expiring: readonly string[];
  readonly removesMarks: boolean;
}

/** All that there is in the state, and what keeps it in order. */
export const WHOLE_STATE = 'whole state';

/** The same as Redis says it. */
export interface RedisRules {
  readonly keys: readonly { readonly pattern: string; readonly access: 'read' | 'all' }[];
  /** Upper case; a subcommand after a space. */
  readonly commands: readonly string[];
}

/** Of whoever reads documents; flags of unconfirmed writes are taken away by readers. */
const READING = [
  ...['INFO', 'EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO', 'TIME', 'WAIT'],
  ...['EXISTS', 'GET', 'SET', 'DEL', 'HMGET', 'SMEMBERS', 'SSCAN'],
];
const WRITING = ['HGET', 'HSET', 'SADD', 'SREM'];
/** Marks are counted where they are removed. */
const MARKS = ['HINCRBY', 'PEXPIRE'];
const ENTRIES = ['INCR', 'RPUSH', 'ZADD', 'ZSCORE'];
const EVERYTHING = [
  ...[...READING, ...WRITING, ...ENTRIES, 'HDEL', 'HGETALL', 'HINCRBY', 'HKEYS', 'LRANGE', 'LREM'],
  // An erasure looks at all keys, and lets the server write its file anew.
  ...['PERSIST', 'PEXPIRE', 'ZRANGE', 'ZREM', 'SCAN', 'BGREWRITEAOF'],
];
/** Done without where they are forbidden. */
const OPTIONAL = ['BGREWRITEAOF', 'CLIENT INFO'];
/** Needed in a database other than the first one. */
const DATABASE = ['SELECT', 'CLIENT INFO'];

/** What a user of Redis 7.0 or newer needs, who does this and nothing else. */
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
/** Names are escaped, so that none of them can hold what the patterns have around the stars. */
const listPatterns = (keys: RedisKeys, right: CollectionRight): string[] => {
  const ref = refOf(right);
  return [keys.document(ref), keys.collection(ref.scope, ref.collection)];
};
const outboxPattern = (keys: RedisKeys, right: CollectionRight): string => keys.outbox(refOf(right));

const SIGNS = { read: '%R~', all: '~' } as const;

/** As in an ACL file, or behind `ACL SETUSER` and the name: these rights and no others. */
export const ruleText = ({ keys, commands }: RedisRules): string =>
  [
    'resetkeys resetchannels -@all',
    ...keys.map(({ pattern, access }) => `${SIGNS[access]}${pattern}`),
    ...commands.map((command) => `+${command.toLowerCase().replace(' ', '|')}`),
  ].join(' ');

/** Arguments with which a command names no key. */
const WITHOUT_KEYS: Readonly<Record<string, readonly string[]>> = {
  INFO: [],
  TIME: [],
  WAIT: ['1', '1'],
  SCAN: ['0'],
  SELECT: ['0'],
  ...Object.fromEntries(['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO'].map((name) => [name, ['', '0']])),
};

export interface RightProbe {
  /** What is asked whether it may be run; it is not. */
  readonly call: readonly string[];
  /** What fails without, in words. */
  readonly right: string;
}

/** Calls of which each may be run by whoever has the rights, and that together need all of them. */
export function rightProbes({ keys, commands }: RedisRules): RightProbe[] {
  const sample = keys.find(({ access }) => access === 'all')?.pattern ?? '';
  return [
    ...commands
      .filter((command) => !OPTIONAL.includes(command))
      .map((command) => ({
        call: [command, ...(WITHOUT_KEYS[command] ?? [sample])],
        right: command,
      })),
    ...keys.flatMap(({ pattern, access }) => [
      { call: ['GET', pattern], right: `read ${pattern}` },
      ...(access === 'read' ? [] : [{ call: ['SET', pattern, ''], right: `write ${pattern}` }]),
    ]),
  ];
}
