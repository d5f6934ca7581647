import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import {
  type LocalServer,
  type ServerKind,
  type ServerOptions,
  startLocalServer,
} from './server/local-server.ts';
import { requireRedis } from './server/tools.ts';

const CONNECT_LIMIT_MS = 2_000;
const configurationOf = (folder: string): string => path.join(folder, 'redis.conf');

/** Acknowledged writes are on disk, and a full server refuses writes instead of evicting. */
const configuration = (folder: string, port: number | undefined, password: string): string =>
  [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${path.join(folder, 'data')}"`,
    'daemonize no',
    'appendonly yes',
    'appendfsync always',
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');

export const redisServer: ServerKind = {
  name: 'redis',
  portCount: 1,
  startLimitMs: 60_000,
  stopLimitMs: 10_000,
  provide: async () => requireRedis(),
  address: ({ ports, password }) => `redis://:${password}@127.0.0.1:${ports[0]}`,
  prepare: async (folder, { ports, password }) => {
    mkdirSync(path.join(folder, 'data'), { recursive: true, mode: 0o700 });
    writeFileSync(configurationOf(folder), configuration(folder, ports[0], password), { mode: 0o600 });
  },
  program: (folder) => ({ file: 'redis-server', args: [configurationOf(folder)] }),
  ask: async ({ address }) => {
    const client = new Redis(address, {
      lazyConnect: true,
      connectTimeout: CONNECT_LIMIT_MS,
      disconnectTimeout: 100,
      retryStrategy: () => null,
    });
    // `connect` also throws a refused connection.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.ping();
    } finally {
      client.disconnect();
    }
  },
};

/** The `redis-server` of this machine, on loopback, durable and with a password. */
export const startRedis = (options: ServerOptions): Promise<LocalServer> =>
  startLocalServer(redisServer, options);
