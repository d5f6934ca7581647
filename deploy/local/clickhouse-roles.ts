/**
 * Main module of a ClickHouse whose accounts have the rights of the roles, for tests: the engine with its own access
 * control, and a separate address for each role. The engine has only one user, so a role's rights are a ClickHouse role
 * that every session on its address assumes. The parent process sends a folder and receives the addresses.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Session } from 'chdb';
import { createEngineHttp } from '#platform/warehouse/embedded/http.ts';
import { SessionPool } from '#platform/warehouse/embedded/sessions.ts';
import { WAREHOUSE_ROLES, warehouseGrants } from '#schemas/tables/rights.ts';

export interface RolesStart {
  readonly folder: string;
  readonly database: string;
  readonly password: string;
}

export type RoleAddresses = Readonly<Record<string, string>>;

const LIMITS = { size: 16, waiting: 256 };
const MIB = 1024 * 1024;

const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`;

/** Configures the engine: the roles with their grants, and a user with all of them. */
function configure(folder: string, database: string): string {
  const grants = { ...warehouseGrants(database), all: ['ALL ON *.*'] };
  const queries = (texts: readonly string[]): string =>
    tag('grants', texts.map((text) => tag('query', `GRANT ${text}`)).join(''));
  const roles = Object.entries(grants).map(([role, texts]) => tag(`cas_${role}`, queries(texts)));
  const user = `<password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>${queries(Object.keys(grants).map((role) => `cas_${role}`))}`;
  const users = path.join(folder, 'users.xml');
  writeFileSync(
    users,
    tag(
      'clickhouse',
      `<profiles><default/></profiles><quotas><default/></quotas>${tag('roles', roles.join(''))}${tag('users', tag('default', user))}`,
    ),
  );
  const config = path.join(folder, 'config.xml');
  writeFileSync(config, tag('clickhouse', tag('users_config', users)));
  return config;
}

async function main(): Promise<void> {
  const [start] = (await once(process, 'message')) as [RolesStart];
  const { folder, database, password } = start;
  mkdirSync(folder, { recursive: true });
  const config = configure(folder, database);
  const data = path.join(folder, 'data');
  const open = (label: string): Session =>
    new Session(data, { connectionArgs: [`--config-file=${config}`, `--log_comment=${label}`] });
  const control = open('control');
  const stop = async (label: string): Promise<void> => {
    await control.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${label}' ASYNC`).catch(() => {});
  };
  const addresses: Record<string, string> = {};
  for (const role of [...WAREHOUSE_ROLES, 'all']) {
    const openAs = (label: string): Session => {
      const session = open(label);
      session.query(`SET ROLE cas_${role}`);
      return session;
    };
    const pool = (kind: string) => new SessionPool(`${role}-${kind}`, { open: openAs, stop }, LIMITS);
    const server = createEngineHttp({
      readers: pool('reader'),
      writers: pool('writer'),
      password,
      maxBodyBytes: 64 * MIB,
      maxHeldBytes: 256 * MIB,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    addresses[role] =
      `http://default:${password}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`;
  }
  process.send?.(addresses);
  // Exits with its parent, even if that is killed.
  process.once('disconnect', () => process.exit(0));
}

await main();
