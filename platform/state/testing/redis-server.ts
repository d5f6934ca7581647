import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { startRedis } from '../../../deploy/local/redis.ts';
import type { LocalServer } from '../../../deploy/local/server/local-server.ts';
import { freePort } from '../../../deploy/local/server/ports.ts';
import { eventually } from '../../../test/helpers/eventually.ts';
import type { State } from '../port.ts';
import { openRedisState, type RedisStateOptions } from '../redis/state.ts';

export interface LoggedLine {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly details: object;
}

/** Servers, clients and states of one test file, closed together. */
export interface RedisBench {
  /** A server as the project starts it, in a separate folder. */
  server(): Promise<LocalServer>;
  /** A bare server with these settings, without a password; returns its port. */
  bareServer(...settings: readonly string[]): Promise<number>;
  /** A Sentinel with this password that watches a primary of `bareServer` under this name; returns its port. */
  sentinel(name: string, primaryPort: number, password: string): Promise<number>;
  /** A plain client, to inspect what the state stores and to change the server. */
  client(address: string): Redis;
  state(url: string, options?: Partial<RedisStateOptions>): Promise<State>;
  readonly lines: LoggedLine[];
  /** Ends all of them. */
  close(): Promise<void>;
}

/** For slow, busy machines; tests of time-outs set their own. */
export const PATIENT_MS = 20_000;

export function redisBench(): RedisBench {
  const endings: (() => Promise<unknown>)[] = [];
  const lines: LoggedLine[] = [];
  const hear = (level: LoggedLine['level']) => (details: object, message: string) =>
    void lines.push({ level, message, details });
  const logger = { info: hear('info'), warn: hear('warn') };

  async function folder(): Promise<string> {
    const made = await mkdtemp(path.join(tmpdir(), 'redis-bench-'));
    endings.push(() => rm(made, { recursive: true, force: true }));
    return made;
  }
  function client(address: string): Redis {
    const made = new Redis(address, { disconnectTimeout: 100 });
    made.on('error', () => undefined);
    endings.push(async () => made.disconnect());
    return made;
  }

  async function run(args: readonly string[]): Promise<void> {
    const child = spawn('redis-server', args, { stdio: 'ignore' });
    await once(child, 'spawn');
    endings.push(async () => {
      // A test may have killed the process.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      if (child.kill('SIGKILL')) await exited;
    });
  }
  async function answers(address: string): Promise<void> {
    const asked = client(address);
    await eventually('the server answers', 10_000, async () => (await asked.ping()) === 'PONG' || undefined);
  }

  return {
    lines,
    client,
    async server() {
      const part = await startRedis({ folder: await folder() });
      endings.push(() => part.kill());
      return part;
    },
    async bareServer(...settings) {
      const data = await folder();
      const port = settings.includes('--tls-port') ? 0 : await freePort();
      const args = ['--port', String(port), '--dir', data, '--bind', '127.0.0.1', '--save', ''];
      await run([...args, ...settings]);
      if (port !== 0) await answers(`redis://127.0.0.1:${port}`);
      return port;
    },
    async sentinel(name, primaryPort, password) {
      const data = await folder();
      const port = await freePort();
      const file = path.join(data, 'sentinel.conf');
      const lines = [
        `port ${port}`,
        'bind 127.0.0.1',
        `dir ${data}`,
        `requirepass "${password}"`,
        `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 1`,
        `sentinel down-after-milliseconds ${name} 1000`,
        `sentinel failover-timeout ${name} 5000`,
      ];
      await writeFile(file, `${lines.join('\n')}\n`);
      await run([file, '--sentinel']);
      await answers(`redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`);
      return port;
    },
    async state(url, options = {}) {
      const state = await openRedisState({ url, logger, commandTimeoutMs: PATIENT_MS, ...options });
      endings.push(() => state.close());
      return state;
    },
    async close() {
      for (const end of endings.splice(0).reverse()) await end();
    },
  };
}
