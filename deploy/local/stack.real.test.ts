import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { openKafkaLog } from '#platform/event-log/kafka/event-log.ts';
import { describeOnStack } from '../../test/helpers/stack.ts';
import { isFree } from './server/ports.ts';
import { isRunning, killProcess, type ProcessIdentity } from './server/processes.ts';
import { readServerMemory, type ServerMemory } from './server/server-file.ts';
import { SERVER_NAMES } from './server-names.ts';

interface Answer {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** At least eight starts of a server, on a machine that may be busy with other tests. */
const LIMIT_MS = 300_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cas-stack-'));
});
afterEach(async () => {
  await stack('stop');
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command to its end. */
const stack = (...args: string[]): Promise<Answer> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, HOME: process.env.HOME, STACK_DIR: folder } };
    execFile(
      process.execPath,
      [compiledModule('deploy/local/stack.ts'), ...args],
      options,
      (error, output, errors) => resolve({ code: Number(error?.code ?? 0), output, errors }),
    );
  });

const memories = (): ServerMemory[] =>
  SERVER_NAMES.map((name) => readServerMemory(path.join(folder, name)) as ServerMemory);
const processes = (): ProcessIdentity[] => memories().map((memory) => memory.process as ProcessIdentity);

describeOnStack('the stack command', () => {
  test(
    'starts, restarts killed servers, stops, and leaves nothing',
    async () => {
      expect(await stack('status')).toMatchObject({ code: 1 });
      expect(await stack('env')).toMatchObject({
        code: 1,
        output: '',
        errors: expect.stringContaining('npm run stack -- start'),
      });

      expect(await stack('start')).toMatchObject({ code: 0, errors: '' });
      expect(await stack('status')).toMatchObject({ code: 0 });
      const first = processes();
      const environment = await stack('env');
      for (const name of ['KAFKA_BROKERS', 'REDIS_URL', 'CLICKHOUSE_URL', 'SCHEMA_REGISTRY_URL'])
        expect(environment.output).toMatch(new RegExp(`^export ${name}='.+'$`, 'm'));
      for (const name of ['MASTER_KEY', 'SIGNING_KEY', 'INTERNAL_SECRET_FILE']) {
        const file = new RegExp(`^export ${name}='(.+)'$`, 'm').exec(environment.output)?.[1] ?? '';
        expect(existsSync(file)).toBe(true);
      }

      const again = await stack('start');
      expect(again.output.match(/already running/g)).toHaveLength(SERVER_NAMES.length);
      expect(processes()).toEqual(first);
      // Only `env` prints passwords.
      for (const { password } of memories()) expect(again.output).not.toContain(password);
      expect(await stack('start', '--brokers', '3')).toMatchObject({
        code: 1,
        errors: expect.stringContaining('was made with --brokers 1, not with --brokers 3'),
      });

      await Promise.all(first.map((process) => killProcess(process)));
      expect(await stack('status')).toMatchObject({ code: 1 });
      expect(await stack('start')).toMatchObject({ code: 0 });
      expect((await stack('env')).output).toBe(environment.output);

      const last = memories();
      expect(await stack('stop', '--delete-data')).toMatchObject({ code: 0 });
      for (const memory of last) {
        expect(isRunning(memory.process as ProcessIdentity)).toBe(false);
        for (const port of memory.ports) expect(await isFree(port)).toBe(true);
      }
      expect(readdirSync(folder)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'with three brokers and TLS: remembers its options, prints the login settings, and leaves nothing',
    async () => {
      const brokers = ['kafka-1', 'kafka-2', 'kafka-3'];
      expect(await stack('start', '--brokers', '3', '--tls')).toMatchObject({ code: 0, errors: '' });
      const environment = (await stack('env')).output;
      const setting = (name: string): string =>
        new RegExp(`^export ${name}='(.+)'$`, 'm').exec(environment)?.[1] ?? '';
      const memory = (name: string): ServerMemory =>
        readServerMemory(path.join(folder, name)) as ServerMemory;
      const addresses = brokers.map((name) => memory(name).address);
      expect(setting('KAFKA_BROKERS')).toBe(addresses.join(','));
      expect(setting('KAFKA_REPLICATION_FACTOR')).toBe('3');
      const log = await openKafkaLog({
        brokers: addresses,
        clientId: 'stack-test',
        topics: [],
        ssl: { ca: readFileSync(setting('KAFKA_SSL_CA'), 'utf8') },
        sasl: {
          mechanism: setting('KAFKA_SASL_MECHANISM') as 'scram-sha-512',
          username: setting('KAFKA_SASL_USERNAME'),
          password: setting('KAFKA_SASL_PASSWORD'),
        },
      });
      await log.close();

      const { output: again } = await stack('start');
      expect(again.match(/already running/g)).toHaveLength(SERVER_NAMES.length - 1 + brokers.length);
      expect(again).not.toContain(setting('KAFKA_SASL_PASSWORD'));
      const status = await stack('status');
      for (const name of brokers) expect(status.output).toContain(name);
      expect(status.code).toBe(0);
      expect(await stack('start', '--brokers', '3')).toMatchObject({
        code: 1,
        errors: expect.stringContaining('was made with --brokers 3 --tls, not with --brokers 3'),
      });

      const last = brokers.map((name) => memory(name).process as ProcessIdentity);
      expect(await stack('stop', '--delete-data')).toMatchObject({ code: 0 });
      for (const process of last) expect(isRunning(process)).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
    },
    LIMIT_MS,
  );
});
