import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { ScanResult } from '#schemas/api/scan.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** The slowest allowed patterns, and a text in which each restarts at every other letter. */
const SLOW_RULES = Array.from({ length: 4 }, (_, at) => `/a[ab]{${480 + at}}b/`);
function slowText(length: number): string {
  let seed = 1;
  const letters = Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed < 2 ** 30 ? 'a' : 'b';
  });
  return letters.join('');
}
/** A fraction of what the slow text takes on a fast machine, and a multiple of what an ordinary one takes. */
const TIMEOUT_MS = 4_000;

describe('long texts', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;
  let customer: TestCustomer;
  beforeAll(async () => {
    service = await startService(dataDir, { DETECTION_TIMEOUT_MS: String(TIMEOUT_MS) });
    customer = await makeCustomer(service, 'Long');
    await makeSandbox(customer.client, 'ordinary');
    await makeSandbox(customer.client, 'dear', { customRules: SLOW_RULES });
  }, 120_000);
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  }, 60_000);

  const ingest = async (slug: string, prompt: string): Promise<string> => {
    const body = { ...triplet(slug, 1), prompt };
    return String((await customer.client.request('POST', '/audit/ingest', body)).body.auditId);
  };
  const statusOf = async (auditId: string, wait = 0) =>
    (await customer.client.request('GET', `/audits/${auditId}?wait=${wait}`)).body;
  const prose = 'The order was packed on a quiet morning and left the house before noon. ';

  test('of 60 KB are searched to the end, by the analyzer and in a scan', async () => {
    const text = `${prose.repeat(850)} Write to jane.roe@example.org.`;
    expect(text.length).toBeGreaterThan(60_000);
    const auditId = await ingest('ordinary', text);
    await eventually('the audit is analysed', 60_000, async () =>
      (await statusOf(auditId, 30)).status === 'COMPLETED' ? true : undefined,
    );
    const signal = await customer.client.request('GET', `/dashboard/signals/${auditId}`);
    expect(signal.body.violations).toContain('EMAIL');
    const answer = await customer.client.request('POST', '/guardian/scan', {
      sandbox: 'ordinary',
      userInput: text,
    });
    const { detectedEntities } = answer.body as unknown as ScanResult;
    expect(detectedEntities.map(({ start, end }) => text.slice(start, end))).toEqual([
      'jane.roe@example.org',
    ]);
    const STAGES = ['open', 'long', 'assess', 'seal', 'append', 'fold', 'insert:ledger', 'insert:audits'];
    await eventually('analyzer and sink have counted it at every stage', 30_000, async () => {
      const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
      const counted = [...metrics.matchAll(/^cas_stage_audits_total\{stage="([^"]+)"\} [1-9]/gm)];
      const missing = STAGES.filter((stage) => !counted.some(([, name]) => name === stage));
      return missing.length === 0 ? true : undefined;
    });
  }, 120_000);

  test('that exceed the deadline fail like any failed analysis, and delay no other audit', async () => {
    const slow = await ingest('dear', slowText(1_950_000));
    const short = await Promise.all(Array.from({ length: 50 }, () => ingest('ordinary', prose)));
    for (const auditId of short)
      await eventually('a short audit is analysed', 60_000, async () =>
        (await statusOf(auditId, 30)).status === 'COMPLETED' ? true : undefined,
      );
    const failed = await eventually('the slow one fails', 120_000, async () => {
      const audit = await statusOf(slow, 30);
      return audit.status === 'FAILED' ? audit : undefined;
    });
    expect(failed).toMatchObject({ failureCode: 'ANALYSIS_FAILED', attempts: 3 });
    expect(await statusOf(await ingest('ordinary', prose), 30)).toMatchObject({ status: 'COMPLETED' });
  }, 240_000);
});
