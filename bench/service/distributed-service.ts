import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { print } from '../../cli/command/output.ts';
import type { LocalServer } from '../../deploy/local/server/local-server.ts';
import type { ServerName } from '../../deploy/local/server-names.ts';
import { stackFolder } from '../../deploy/local/stack-folder.ts';
import { startStack } from '../../deploy/local/start-stack.ts';
import { makeTarget, type Target } from '../load/triplets.ts';
import { migrate, type RoleProcess, startRole } from './role-processes.ts';

type Role = 'api' | 'analyzer' | 'sink' | 'correlator';

export type Servers = Readonly<Record<ServerName, LocalServer>>;

/** The service as one process per role, on its own real servers. */
interface DistributedService<Prepared> {
  /** The result of `prepare`. */
  readonly prepared: Prepared;
  readonly target: Target;
  readonly api: RoleProcess;
  readonly analyzer: RoleProcess;
  readonly sink: RoleProcess;
  readonly correlator: RoleProcess;
  readonly servers: readonly { readonly name: string; readonly pid: number }[];
  /** The data folder of a server. */
  readonly folderOf: (server: string) => string;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
}

/** `prepare` is called with the servers after the topics exist and before a role starts. */
export async function startDistributedService<Prepared>(
  customers: number,
  prepare: (servers: Servers) => Promise<Prepared>,
): Promise<DistributedService<Prepared>> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-'));
  const folder = stackFolder(root);
  const { settings, servers } = await startStack(folder, {
    outlivesParent: false,
    report: print,
    onUp: (server, tookMs) => print(`${server.name} answers after ${(tookMs / 1000).toFixed(1)} s`),
  });
  const running: RoleProcess[] = [];
  const start = async (role: Role): Promise<RoleProcess> => {
    const started = await startRole(role, settings);
    running.push(started);
    return started;
  };
  const stop = async (): Promise<void> => {
    for (const one of running) await one.stop();
    for (const server of Object.values(servers)) await server.stop();
    rmSync(root, { recursive: true, force: true });
  };
  try {
    await migrate(settings);
    const prepared = await prepare(servers);
    const sink = await start('sink');
    const correlator = await start('correlator');
    const analyzer = await start('analyzer');
    const api = await start('api');
    const secret = readFileSync(settings.INTERNAL_SECRET_FILE ?? '', 'utf8').trim();
    return {
      prepared,
      target: await makeTarget(api.url, secret, customers),
      api,
      analyzer,
      sink,
      correlator,
      servers: Object.values(servers),
      folderOf: (server) => folder.server(server),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
