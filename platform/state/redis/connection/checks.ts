import type { Redis } from 'ioredis';
import { isForbidden, isUnknownCommand, reasonOf } from './errors.ts';
import { type RedisRules, rightProbes } from './rules.ts';

/** Result of the checks that a server must pass before the state trusts it. */
interface ServerCheck {
  /** Each says what is wrong and what to change. Empty when the server is usable. */
  readonly faults: readonly string[];
  /** Settings that cannot be checked, because the server does not show them. */
  readonly unchecked: readonly string[];
}

/** Settings that keep acknowledged writes on disk and evict nothing when memory is short. */
const WANTED: Readonly<Record<string, string>> = {
  appendonly: 'yes',
  appendfsync: 'always',
  // With "yes" nothing is flushed while the append-only file is rewritten.
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
};
const OLDEST = [6, 2] as const;

/** Settings that an operator may vouch for: a provider can keep acknowledged writes without Redis's own file. */
const DURABLE = ['appendonly', 'appendfsync', 'no-appendfsync-on-rewrite'];

/** Requirements for a server. */
export interface Demands {
  /** Whether its settings must ensure that acknowledged writes survive its crash, or the operator asserts it. */
  readonly durability: 'checked' | 'asserted';
  /** Sentinels may promote a replica at any time while this server still accepts writes. */
  readonly behindSentinels: boolean;
}

/** The user, and the permissions it needs. */
export interface CheckedUser {
  readonly name: string;
  readonly rules: RedisRules;
}

/**
 * Reads the server's settings, its role and the user's permissions. Where `CONFIG` is forbidden, as for the roles'
 * users and on many managed servers, `INFO` shows some of them. Rejects when the server does not answer.
 */
export async function checkServer(
  redis: Redis,
  database: number,
  user: CheckedUser,
  demands: Demands,
): Promise<ServerCheck> {
  const [missing, info, client, ...settings] = await Promise.all([
    missingRights(redis, user.rules),
    orForbidden(redis.call('INFO')),
    database === 0 ? '' : orForbidden(redis.call('CLIENT', 'INFO')),
    ...Object.keys(WANTED).map((name) => orForbidden(redis.call('CONFIG', 'GET', name))),
  ]);
  if (missing.length > 0) return { faults: [withoutRights(user.name, missing)], unchecked: [] };
  const shown = new Map(
    settings.flatMap((reply) => {
      const [name, value] = Array.isArray(reply) ? (reply as string[]) : [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const { faults, unchecked } = judgeServer(fieldsOf(String(info)), shown, demands);
  const elsewhere = database !== 0 && client !== null && !String(client).includes(` db=${database} `);
  return {
    faults: elsewhere ? [...faults, `it has no database ${database}: choose a different one`] : faults,
    unchecked,
  };
}

/** Resolves to null when the server forbids the command. */
async function orForbidden(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    if (isForbidden(error) || isUnknownCommand(error)) return null;
    throw new Error(reasonOf(error));
  }
}

/** ARGV: the calls, JSON. Returns the positions, from 1, of the calls that the user may not run; none is run. */
const DENIED = `
local denied = {}
if not redis.acl_check_cmd then return denied end
for place, call in ipairs(cjson.decode(ARGV[1])) do
  -- An unknown command raises an error.
  local known, allowed = pcall(redis.acl_check_cmd, unpack(call))
  if not (known and allowed) then denied[#denied + 1] = place end
end
return denied
`;
/** Maximum number of permissions named in a message; a user that lacks one usually lacks many. */
const NAMED_RIGHTS = 6;

/** A server that is older than 7.0, or only compatible with Redis, may not support this. */
async function missingRights(redis: Redis, rules: RedisRules): Promise<string[]> {
  const probes = rightProbes(rules);
  try {
    const calls = JSON.stringify(probes.map(({ call }) => call));
    const denied = (await redis.call('EVAL_RO', DENIED, 0, calls)) as number[];
    return denied.map((position) => probes[position - 1]!.right);
  } catch (error) {
    if (isForbidden(error)) return ['EVAL_RO'];
    if (isUnknownCommand(error)) return [];
    throw new Error(reasonOf(error));
  }
}

function withoutRights(user: string, missing: readonly string[]): string {
  const named = missing.slice(0, NAMED_RIGHTS).join(', ');
  const more = missing.length > NAMED_RIGHTS ? ` and ${missing.length - NAMED_RIGHTS} more` : '';
  return `its user "${user}" lacks rights: ${named}${more}; "cas config --redis-acl" prints the rights of each role`;
}

const fieldsOf = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );

/** `info`: fields of `INFO`; `settings`: output of `CONFIG GET`. */
export function judgeServer(
  info: ReadonlyMap<string, string>,
  settings: ReadonlyMap<string, string>,
  { durability, behindSentinels }: Demands,
): ServerCheck {
  const appendOnly = { '0': 'no', '1': 'yes' }[info.get('aof_enabled') ?? ''];
  const fromInfo: Record<string, string | undefined> = {
    appendonly: appendOnly,
    'maxmemory-policy': info.get('maxmemory_policy'),
  };
  const faults = roleFaults(info);
  // INFO shows the number of replicas with low lag only when the setting requires some.
  if (behindSentinels && !info.has('min_slaves_good_slaves'))
    faults.push(
      'set "min-replicas-to-write 1" on every server: with Sentinels, an isolated primary would otherwise acknowledge writes that a failover loses',
    );
  const unchecked: string[] = [];
  for (const [name, wanted] of Object.entries(WANTED)) {
    const found = settings.get(name) ?? fromInfo[name];
    if (found === undefined) unchecked.push(`${name} ${wanted}`);
    else if (found === wanted) continue;
    else if (durability === 'asserted' && DURABLE.includes(name)) unchecked.push(`${name} ${wanted}`);
    else
      faults.push(`set "${name} ${wanted}" (it is "${found}")${settings.has(name) ? '' : otherwise(name)}`);
  }
  return { faults, unchecked };
}

/** For a server that hides its settings, as many providers' servers do. */
const otherwise = (name: string): string =>
  DURABLE.includes(name)
    ? ', or REDIS_DURABILITY=asserted if the provider guarantees acknowledged writes in another way'
    : '';

function roleFaults(info: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  const version = info.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    faults.push(`it is version ${version}: run ${OLDEST.join('.')} or newer`);
  if (info.get('redis_mode') === 'sentinel')
    faults.push('it is a Sentinel: put it into REDIS_SENTINELS, and the primary into REDIS_URL');
  if (info.get('redis_mode') === 'cluster' || info.get('cluster_enabled') === '1')
    faults.push(
      'it is a Redis Cluster, which is not supported: run one primary with replicas (at a provider: with cluster mode off)',
    );
  if (info.get('role') === 'slave') faults.push('it is a replica: use the address of the primary');
  return faults;
}
