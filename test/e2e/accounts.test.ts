import { afterAll, beforeAll, expect, test } from '#jest';
import { runCas } from '../helpers/cas-process.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** Customers from the command line, against the running service. */

const dataDir = temporaryDataDir();
let service: TestService;
beforeAll(async () => {
  service = await startService(dataDir);
}, 60_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
});

const cas = (...args: string[]) => runCas(args, { DATA_DIR: dataDir, PORT: new URL(service.url).port });
const json = async (...args: string[]) => {
  const { code, output } = await cas(...args);
  expect([args.join(' '), code, output]).toEqual([args.join(' '), 0, output]);
  return JSON.parse(output) as { id: string; name: string; erasure?: { status: string } };
};

test('creates, shows, changes and lists a customer, and erases it only with --yes', async () => {
  const { id } = await json('accounts', 'create', 'Example Ltd', '--plan', 'PRO');
  const changed = await json(
    'accounts',
    'update',
    id,
    '--plan',
    'PRO_MAX',
    '--rate',
    '7',
    '--audit-quota',
    '9',
  );
  expect(changed).toMatchObject({ plan: 'PRO_MAX', ratePerSecond: 7, auditQuota: 9, burst: 2500 });
  const back = await json('accounts', 'update', id, '--rate', 'none', '--name', 'New name');
  expect(back).toMatchObject({ name: 'New name', ratePerSecond: 500, auditQuota: 9 });
  expect(await json('accounts', 'show', id)).toEqual(back);
  expect((await cas('accounts', 'update', id, '--rate', 'many')).output).toContain(
    'Give a whole number, or "none"',
  );

  const asked = await cas('accounts', 'delete', id);
  expect([asked.code, asked.output]).toEqual([1, expect.stringMatching(/"New name".*Pass --yes/)]);
  expect(await json('accounts', 'show', id)).toEqual(back);
  expect((await json('accounts', 'delete', id, '--yes')).erasure?.status).toBe('IN_PROGRESS');
  const listed = await cas('accounts', 'list');
  expect(listed.output).toMatch(new RegExp(`${id}.*(IN_PROGRESS|COMPLETED)`));
  expect((await cas('keys', 'create', id)).output).toContain('409 CUSTOMER_ERASED');
  const unknown = '01993d5a-7c00-7000-8000-0000000000a7';
  for (const args of [
    ['accounts', 'show'],
    ['accounts', 'delete'],
    ['keys', 'create'],
    ['keys', 'list'],
    ['damage'],
  ])
    expect(await cas(...args, unknown)).toEqual({
      code: 1,
      output: `cas: No customer ${unknown}. "cas accounts list" shows all customers\n`,
    });
}, 120_000);
