import { afterAll, beforeAll, expect, test } from '#jest';
import { runCas } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

const SIGNALS = 4;

let service: TestService;
let customer: TestCustomer;
beforeAll(async () => {
  service = await startService(temporaryDataDir());
  customer = await makeCustomer(service, 'Correlate');
  await makeSandbox(customer.client, 'correlated');
  for (let number = 0; number < SIGNALS; number += 1)
    await customer.client.request('POST', '/audit/ingest', triplet('correlated', number));
  await eventually('the signals are stored', 60_000, async () => {
    const { body } = await customer.client.request('GET', '/dashboard/signals?limit=1');
    return (body.pagination as unknown as { total: number }).total === SIGNALS ? true : undefined;
  });
}, 120_000);
afterAll(async () => {
  await service?.stop();
  removeDataDir(service.dataDir);
});

const cas = (args: readonly string[], key = customer.key) =>
  runCas(['correlate', '--url', service.url, ...args], { CAS_API_KEY: key, DATA_DIR: service.dataDir });

test('cas correlate searches stored signals; --run shows the same run again', async () => {
  const { code, output } = await cas(['--sandbox', 'correlated', '--dimension', 'violation', '--json']);
  expect(code).toBe(0);
  const run = JSON.parse(output);
  expect(run).toMatchObject({
    status: 'COMPLETED',
    analyzedSignals: SIGNALS,
    patterns: [],
    parameters: { sandboxSlug: 'correlated', dimensions: ['violation'], windowMinutes: 60, minSignals: 3 },
  });
  expect(JSON.parse((await cas(['--run', run.id, '--json'])).output)).toEqual(run);
  const printed = await cas([]);
  expect(printed.code).toBe(0);
  expect(printed.output).toMatch(/^Searched 4 signals, .* UTC\.\nRun \S+\n\nNo patterns found\.\n$/);
}, 60_000);

test('shows the service’s message when a request is rejected, and starts no run', async () => {
  const runs = async () => (await customer.client.request('GET', '/evidence/correlations')).body.pagination;
  const before = await runs();
  for (const [args, key, message] of [
    [['--from', 'soon'], customer.key, '(400 INVALID_REQUEST)'],
    [['--from', '2026-11-02', '--to', '2026-11-01'], customer.key, 'the range starts after its end'],
    [['--window-minutes', '4'], customer.key, 'cas: windowMinutes: '],
    [['--sandbox', 'unknown'], customer.key, '(400 SANDBOX_NOT_FOUND)'],
    [['--run', '01993d5a-7c00-7000-8000-0000000000a7'], customer.key, '(404 NOT_FOUND)'],
    [[], `cas_${'0'.repeat(48)}`, 'cas: Invalid API key (401 INVALID_KEY)'],
  ] as const) {
    const { code, output } = await cas(args, key);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(await runs()).toEqual(before);
}, 60_000);
