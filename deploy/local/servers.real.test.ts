import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, expect, test } from '#jest';
import { describeOn } from '../../test/helpers/real-servers.ts';
import { type LocalServer, startLocalServer } from './server/local-server.ts';
import { isFree } from './server/ports.ts';
import { isRunning } from './server/processes.ts';
import { readServerMemory } from './server/server-file.ts';
import { SERVER_NAMES, type ServerName } from './server-names.ts';
import { SERVERS } from './servers.ts';

/** Stores and reads a value through a server's own interface. */
interface Keeper {
  store(address: string): Promise<void>;
  read(address: string): Promise<unknown>;
  readonly expected: unknown;
}

const SCHEMAS = ['One', 'Two', 'Three'].map((name) => ({
  subject: `${name.toLowerCase()}-value`,
  schema: JSON.stringify({ type: 'record', name, fields: [] }),
}));

const KEEPERS: Record<ServerName, Keeper> = {
  kafka: {
    store: async (address) => {
      const client = kafka(address);
      const [admin, producer] = [client.admin(), client.producer({ idempotent: true })];
      await Promise.all([admin.connect(), producer.connect()]);
      await admin.createTopics({ topics: [{ topic: 'kept', numPartitions: 1 }], waitForLeaders: true });
      await producer.send({ topic: 'kept', acks: -1, messages: [{ value: 'a' }, { value: 'b' }] });
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    },
    read: async (address) => {
      const admin = kafka(address).admin();
      await admin.connect();
      const [offsets] = await admin.fetchTopicOffsets('kept');
      await admin.disconnect();
      return offsets?.high;
    },
    expected: '2',
  },
  registry: {
    store: async (address) => {
      for (const { subject, schema } of SCHEMAS) await register(address, subject, schema);
    },
    // Registered in a different order, so that new ids would differ.
    read: async (address) => {
      const ids = [];
      for (const { subject, schema } of [...SCHEMAS].reverse())
        ids.push(await register(address, subject, schema));
      return ids;
    },
    expected: [3, 2, 1],
  },
  redis: {
    store: async (address) => void (await withRedis(address, (client) => client.set('kept', 'value'))),
    read: (address) => withRedis(address, (client) => client.get('kept')),
    expected: 'value',
  },
  clickhouse: {
    store: async (address) => {
      await query(address, 'CREATE TABLE kept (n UInt32) ENGINE = MergeTree ORDER BY n');
      await query(address, 'INSERT INTO kept VALUES (7)');
    },
    read: (address) => query(address, 'SELECT sum(n) FROM kept'),
    expected: '7',
  },
};

const kafka = (address: string): Kafka => new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });

async function register(address: string, subject: string, schema: string): Promise<number> {
  const response = await fetch(`${address}/subjects/${subject}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ schema }),
  });
  return ((await response.json()) as { id: number }).id;
}

async function withRedis<Result>(address: string, use: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(address);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

async function query(address: string, sql: string): Promise<string> {
  const { username, password, origin } = new URL(address);
  const response = await fetch(origin, {
    method: 'POST',
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    body: sql,
  });
  const answer = (await response.text()).trim();
  if (!response.ok) throw new Error(answer);
  return answer;
}

/** Three starts of a server, on a machine that may be busy with other tests. */
const LIMIT_MS = 300_000;

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'cas-servers-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

for (const name of SERVER_NAMES) {
  describeOn(name, `${name} on this machine`, (shared) => {
    const keeper = KEEPERS[name];
    let server: LocalServer | undefined;
    afterEach(async () => server?.kill());

    test(
      'answers, and keeps its address and data across a kill, a stop and a second start',
      async () => {
        const folder = path.join(root, name);
        server = await startLocalServer(SERVERS[name], { folder });
        const { address, pid } = server;
        expect(statSync(folder).mode & 0o077).toBe(0);
        expect(statSync(path.join(folder, 'server.json')).mode & 0o077).toBe(0);
        await keeper.store(address);
        expect(await keeper.read(address)).toEqual(keeper.expected);

        await server.kill();
        await expectGone(folder);
        await server.restart();
        expect(server.pid).not.toBe(pid);
        expect(server.address).toBe(address);
        expect(await keeper.read(address)).toEqual(keeper.expected);

        // A second start adopts the running server, as a user's next command does.
        const again = await startLocalServer(SERVERS[name], { folder });
        expect([again.pid, again.address]).toEqual([server.pid, address]);
        await again.stop();
        await expectGone(folder);

        server = await startLocalServer(SERVERS[name], { folder });
        expect(server.address).toBe(address);
        expect(await keeper.read(address)).toEqual(keeper.expected);
        await server.stop();
        await expectGone(folder);
      },
      LIMIT_MS,
    );

    test('does not start on a port in use', async () => {
      const usedPort = Number(/:(\d+)(\/|$)/.exec(shared)?.[1]);
      await expect(
        startLocalServer(SERVERS[name], { folder: path.join(root, name), port: usedPort }),
      ).rejects.toThrow(`port ${usedPort} of ${name} is in use by another process`);
    });
  });
}

async function expectGone(folder: string): Promise<void> {
  const memory = readServerMemory(folder);
  expect(memory?.process && isRunning(memory.process)).toBe(false);
  for (const port of memory?.ports ?? []) expect(await isFree(port)).toBe(true);
}
