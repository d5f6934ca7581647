import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';
import type { RoleAddresses, RolesStart } from '../../deploy/local/clickhouse-roles.ts';

export interface ClickhouseRoles {
  /** CLICKHOUSE_URL of each role, and of `all`, which has every right. */
  readonly addresses: RoleAddresses;
  stop(): Promise<void>;
}

/** Starts a ClickHouse in the folder, with a URL for each role that has only that role's rights. */
export async function startClickhouseRoles(folder: string, database = 'cas'): Promise<ClickhouseRoles> {
  const child = fork(compiledModule('deploy/local/clickhouse-roles.ts'), {
    env: { PATH: process.env.PATH, UV_THREADPOOL_SIZE: '16' },
  });
  const ended = once(child, 'exit');
  const start: RolesStart = { folder, database, password: randomBytes(16).toString('hex') };
  child.send(start);
  const failed = ended.then(([code]) => {
    throw new Error(`the engine did not start (exit ${code}); its messages stand above`);
  });
  const [addresses] = (await Promise.race([once(child, 'message'), failed])) as [RoleAddresses];
  failed.catch(() => undefined);
  return {
    addresses,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
