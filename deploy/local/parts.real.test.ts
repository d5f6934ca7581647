import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { describeOn } from '../../test/helpers/real-parts.ts';
import { type LocalPart, startLocalPart } from './local-part.ts';
import { readPartMemory } from './part-file.ts';
import { PART_NAMES, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';
import { isFree } from './ports.ts';
import { isRunning } from './processes.ts';

/** Stores a value through a part's own interface, and reads it. */
interface Keeper {
  store(address: string): Promise<void>;
  read(address: string): Promise<unknown>;
  readonly expected: unknown;
}

const SCHEMAS = ['One', 'Two', 'Three'].map((name) => ({
  subject: `${name.toLowerCase()}-value`,
  schema: JSON.stringify({ type: 'record', name, fields: [] }),
}));

const KEEPERS: Record<PartName, Keeper> = {
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
    // The order of registration is another one, so that new ids would differ.
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

/** Three starts of a part, on a machine that may be busy with other tests. */
const LIMIT_MS = 300_000;

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'cas-parts-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

for (const name of PART_NAMES) {
  describeOn(name, `${name} on this machine`, (shared) => {
    const keeper = KEEPERS[name];
    let part: LocalPart | undefined;
    afterEach(async () => part?.kill());

    test(
      'answers, and keeps address and data over a kill, a stop and a second start',
      async () => {
        const folder = path.join(root, name);
        part = await startLocalPart(PARTS[name], { folder });
        const { address, pid } = part;
        expect(statSync(folder).mode & 0o077).toBe(0);
        expect(statSync(path.join(folder, 'part.json')).mode & 0o077).toBe(0);
        await keeper.store(address);
        expect(await keeper.read(address)).toEqual(keeper.expected);

        await part.kill();
        await expectGone(folder);
        await part.restart();
        expect(part.pid).not.toBe(pid);
        expect(part.address).toBe(address);
        expect(await keeper.read(address)).toEqual(keeper.expected);

        // A second start takes the running part over, as the next command of a person does.
        const again = await startLocalPart(PARTS[name], { folder });
        expect([again.pid, again.address]).toEqual([part.pid, address]);
        await again.stop();
        await expectGone(folder);

        part = await startLocalPart(PARTS[name], { folder });
        expect(part.address).toBe(address);
        expect(await keeper.read(address)).toEqual(keeper.expected);
        await part.stop();
        await expectGone(folder);
      },
      LIMIT_MS,
    );

    test('is not started on a port that is taken', async () => {
      const taken = Number(/:(\d+)(\/|$)/.exec(shared)?.[1]);
      await expect(
        startLocalPart(PARTS[name], { folder: path.join(root, name), port: taken }),
      ).rejects.toThrow(`port ${taken} of ${name} is taken by another process`);
    });
  });
}

async function expectGone(folder: string): Promise<void> {
  const memory = readPartMemory(folder);
  expect(memory?.process && isRunning(memory.process)).toBe(false);
  for (const port of memory?.ports ?? []) expect(await isFree(port)).toBe(true);
}
