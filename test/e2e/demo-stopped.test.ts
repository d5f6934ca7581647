import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { readSettings } from '#platform/config/settings.ts';
import { listApiKeys, listCustomers } from '#schemas/endpoints.ts';
import { type Client, internalClient } from '../../cli/command/client.ts';
import { type CasProcess, runCas, startCas } from '../helpers/cas-process.ts';
import { customerClient } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** A demo that does not finish revokes its API key. */

const dataDir = temporaryDataDir();
let service: CasProcess;
let client: Client;
let internal: Client;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startCas(['start'], { DATA_DIR: dataDir, PORT: '0' });
  const key = await eventually('the first start prints a key', 5_000, async () =>
    /cas_[0-9a-f]{48}/.exec(service.output())?.at(0),
  );
  client = customerClient(service.url, key);
  environment = { DATA_DIR: dataDir, PORT: new URL(service.url).port };
  internal = internalClient(readSettings(environment));
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
});

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}
const rowsOf = ({ body }: { readonly body: { readonly data?: unknown } }): Listed[] => body.data as Listed[];

/** Statuses of the keys of all demos so far. */
async function demoKeys(): Promise<string[]> {
  const [customer] = rowsOf(await internal.call(listCustomers));
  const keys = rowsOf(await internal.call(listApiKeys, { params: { id: customer!.id } }));
  return keys.filter(({ name }) => name === 'npm run demo').map(({ status }) => status);
}

/** Starts the demo; resolves when it has printed its first line. */
async function startDemo() {
  const demo = spawn(process.execPath, [compiledModule('cli/main.ts'), 'demo'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environment },
  });
  let errors = '';
  demo.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(demo, 'exit').then(([code]) => ({ code: code as number | null, errors }));
  await eventually('the demo has a key', 30_000, async () =>
    (await demoKeys()).includes('active') ? true : undefined,
  );
  return { demo, ended };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'after %s',
  async (signal, code) => {
    const { demo, ended } = await startDemo();
    demo.kill(signal);
    expect(await ended).toEqual({ code, errors: '' });
    expect(new Set(await demoKeys())).toEqual(new Set(['revoked']));
  },
  60_000,
);

test('after the reader of its output has ended', async () => {
  const { demo, ended } = await startDemo();
  demo.stdout.destroy();
  expect(await ended).toEqual({ code: 141, errors: '' });
  expect(new Set(await demoKeys())).toEqual(new Set(['revoked']));
}, 120_000);

test('after a failure; a slug that a deleted sandbox reserves is named', async () => {
  const { body } = await client.request('GET', '/sandboxes');
  const [sandbox] = (body.data as unknown as { id: string; slug: string }[]).filter(
    ({ slug }) => slug === 'customer-support',
  );
  await client.request('DELETE', `/sandboxes/${sandbox!.id}`);
  const { code, output } = await runCas(['demo'], environment);
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('The slug customer-support is reserved by a deleted sandbox.'),
  ]);
  expect(new Set(await demoKeys())).toEqual(new Set(['revoked']));
}, 60_000);
