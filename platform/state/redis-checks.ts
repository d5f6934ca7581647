import type { Redis } from 'ioredis';
import { isReply, reasonOf } from './redis-errors.ts';

/** What must hold of the server before the state trusts it, as it was found. */
export interface ServerCheck {
  /** Each says what is wrong and what to change. Empty: the server may be used. */
  readonly faults: readonly string[];
  /** Settings that the server does not show, so that nobody can tell. */
  readonly unchecked: readonly string[];
}

/** Settings under which an answered write is on the disk and nothing is thrown out when memory runs short. */
const WANTED: Readonly<Record<string, string>> = {
  appendonly: 'yes',
  appendfsync: 'always',
  // With "yes" nothing is flushed while the append-only file is rewritten.
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
};
const OLDEST = [6, 2] as const;

/**
 * Asks the server for its settings and its role. Where `CONFIG` is forbidden, as on many managed servers, `INFO` tells
 * what it can. Rejects when the server does not answer.
 */
export async function checkServer(redis: Redis, database: number): Promise<ServerCheck> {
  const [info, client, ...settings] = await Promise.all([
    redis.call('INFO'),
    database === 0 ? '' : orForbidden(redis.call('CLIENT', 'INFO')),
    ...Object.keys(WANTED).map((name) => orForbidden(redis.call('CONFIG', 'GET', name))),
  ]);
  const shown = new Map(
    settings.flatMap((reply) => {
      const [name, value] = Array.isArray(reply) ? (reply as string[]) : [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const { faults, unchecked } = judgeServer(fieldsOf(String(info)), shown);
  const elsewhere = database !== 0 && client !== null && !String(client).includes(` db=${database} `);
  return {
    faults: elsewhere ? [...faults, `it has no database ${database}: choose another one`] : faults,
    unchecked,
  };
}

/** Null when the server forbids the command. */
async function orForbidden(reply: Promise<unknown>): Promise<unknown> {
  try {
    return await reply;
  } catch (error) {
    if (isReply(error) && /NOPERM|unknown (sub)?command/i.test(error.message)) return null;
    throw new Error(reasonOf(error));
  }
}

const fieldsOf = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );

/** `info`: fields of `INFO`; `settings`: what `CONFIG GET` showed. */
export function judgeServer(
  info: ReadonlyMap<string, string>,
  settings: ReadonlyMap<string, string>,
): ServerCheck {
  const appendOnly = { '0': 'no', '1': 'yes' }[info.get('aof_enabled') ?? ''];
  const fromInfo: Record<string, string | undefined> = {
    appendonly: appendOnly,
    'maxmemory-policy': info.get('maxmemory_policy'),
  };
  const faults = roleFaults(info);
  const unchecked: string[] = [];
  for (const [name, wanted] of Object.entries(WANTED)) {
    const found = settings.get(name) ?? fromInfo[name];
    if (found === undefined) unchecked.push(`${name} ${wanted}`);
    else if (found !== wanted) faults.push(`set "${name} ${wanted}" (it is "${found}")`);
  }
  return { faults, unchecked };
}

function roleFaults(info: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  const version = info.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    faults.push(`it is version ${version}: run ${OLDEST.join('.')} or newer`);
  if (info.get('redis_mode') === 'sentinel') faults.push('it is a Sentinel: give the address of the server');
  if (info.get('redis_mode') === 'cluster' || info.get('cluster_enabled') === '1')
    faults.push('it is a Redis Cluster, which is not supported: run one primary with replicas');
  if (info.get('role') === 'slave') faults.push('it is a replica: give the address of the primary');
  return faults;
}
