import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';

type Environment = Readonly<Record<string, string>>;

export interface RoleProcess {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

const cas = (args: readonly string[], environment: Environment, stdio: 'inherit' | 'ipc'): ChildProcess =>
  spawn(process.execPath, [compiledModule('cli/main.ts'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit', ...(stdio === 'ipc' ? (['ipc'] as const) : [])],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: '0', INTERNAL_ON_PUBLIC: 'true', ...environment },
  });

/** Runs `cas migrate`; rejects when it fails (its output is printed). */
export async function migrate(environment: Environment): Promise<void> {
  const [code] = await once(cas(['migrate'], environment, 'inherit'), 'exit');
  if (code !== 0) throw new Error('cas migrate failed; its messages stand above');
}

/** Starts one role; resolves when it is ready. */
export async function startRole(
  role: 'api' | 'analyzer' | 'sink' | 'correlator',
  environment: Environment,
): Promise<RoleProcess> {
  const child = cas([role], environment, 'ipc');
  const exited = once(child, 'exit');
  const ready = once(child, 'message') as Promise<[{ ready: string }]>;
  const [first] = await Promise.race([ready, exited]);
  if (typeof first !== 'object' || first === null || !('ready' in first))
    throw new Error(`cas ${role} did not start; its messages stand above`);
  return {
    name: role,
    pid: child.pid ?? 0,
    url: first.ready,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
