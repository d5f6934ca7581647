import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { readAllSignals } from '../../cli/demo/signals.ts';
import { makeCustomer, type TestCustomer } from '../helpers/customer.ts';
import { finalStatuses } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

interface Templates {
  readonly fillings: Readonly<Record<string, readonly string[]>>;
  readonly kinds: readonly {
    readonly sandboxSlug: string;
    readonly exchanges: readonly { readonly prompt: string; readonly response: string }[];
  }[];
}

const OF_EACH_KIND = 100;
const SANDBOX_TYPES = {
  'customer-support': 'PII_DETECTION',
  'code-assistant': 'SECURITY_AUDIT',
  'hr-assistant': 'FULL_SPECTRUM',
};

/** A hundred exchanges of each kind; a placeholder has the same value in prompt and response. */
function ordinaryDay(): Record<string, string>[] {
  const file = path.join(packageRoot(), 'test/e2e/ordinary.json');
  const { fillings, kinds } = JSON.parse(readFileSync(file, 'utf8')) as Templates;
  const fill = (template: string, round: number): string =>
    template.replace(/\{(\w{1,16})\}/g, (slot, name: string) => {
      const words = fillings[name];
      return words === undefined ? slot : words[round % words.length]!;
    });
  return kinds.flatMap(({ sandboxSlug, exchanges }) =>
    Array.from({ length: OF_EACH_KIND }, (_, number) => {
      const { prompt, response } = exchanges[number % exchanges.length]!;
      const round = Math.floor(number / exchanges.length);
      return {
        ...{ sandboxSlug, provider: 'openai', model: 'gpt-4.1' },
        ...{ prompt: fill(prompt, round), response: fill(response, round) },
      };
    }),
  );
}

const dataDir = temporaryDataDir();
let service: TestService;
let customer: TestCustomer;
beforeAll(async () => {
  service = await startService(dataDir);
  customer = await makeCustomer(service, 'Ordinary Ltd');
  for (const [slug, sandboxType] of Object.entries(SANDBOX_TYPES))
    await customer.client.request('POST', '/sandboxes', { name: slug, slug, sandboxType });
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
});

test('500 exchanges of an ordinary working day raise no HIGH or CRITICAL signal', async () => {
  const day = ordinaryDay();
  const { body } = await customer.client.request('POST', '/audit/ingest/batch', day);
  const items = body.data as unknown as { auditId: string }[];
  const ids = new Set(items.map(({ auditId }) => auditId));
  expect(ids.size).toBe(500);
  const statuses = await finalStatuses(customer.client, ids, 90_000);
  expect([...statuses].filter(([, status]) => status === 'FAILED')).toEqual([]);
  const signals = await readAllSignals(customer.client);
  expect(new Set(signals.map(({ auditId }) => auditId))).toEqual(ids);
  expect(signals.filter(({ riskLevel }) => riskLevel === 'HIGH' || riskLevel === 'CRITICAL')).toEqual([]);
});
