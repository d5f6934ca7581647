import { afterAll, beforeAll, describe, expect, test } from '#jest';
import {
  readPrompt,
  reports,
  type StubEndpoint,
  startStub,
  status,
} from '#services/analyzer/judge/testing/stub-endpoint.ts';
import { makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

const KEY = ['judge', 'key', '7731', 'kestrel'].join('-');

describe('a service with a judge', () => {
  const dataDir = temporaryDataDir();
  const good = reports({ rule: 'refunds', source: 'response', confidence: 0.8 });
  let stub: StubEndpoint;
  let service: TestService;
  let customer: TestCustomer;
  beforeAll(async () => {
    stub = await startStub(good);
    service = await startService(dataDir, {
      JUDGE_URL: stub.url,
      JUDGE_MODEL: 'auditor',
      JUDGE_API_KEY: KEY,
      LOG_LEVEL: 'debug',
    });
    customer = await makeCustomer(service, 'Judged');
    await makeSandbox(customer.client, 'judged', { customRules: ['Do not promise refunds.'] });
  }, 120_000);
  afterAll(async () => {
    await service?.killTree();
    await stub?.close();
    removeDataDir(dataDir);
  }, 60_000);

  const ingest = async (response: string): Promise<string> => {
    const prompt = 'Write to jane.roe@example.org: when do I get my money?';
    const body = { sandboxSlug: 'judged', provider: 'openai', model: 'm', prompt, response };
    return String((await customer.client.request('POST', '/audit/ingest', body)).body.auditId);
  };
  const signal = async (auditId: string) => {
    const audit = await customer.client.request('GET', `/audits/${auditId}?wait=30`);
    expect(audit.body.status).toBe('COMPLETED');
    return (await customer.client.request('GET', `/dashboard/signals/${auditId}`)).body;
  };
  const readiness = async (): Promise<string> =>
    ((await (await fetch(`${service.url}/health/ready`)).json()) as { status: string }).status;

  test('a signal includes the judge’s result; the endpoint receives no raw value, and the key goes nowhere else', async () => {
    const found = await signal(await ingest('You will have it tomorrow, all of it.'));
    expect(found.violations).toEqual(['EMAIL', 'CUSTOM_RULE']);
    expect(found.detections).toContainEqual({
      code: 'CUSTOM_RULE',
      detector: 'judge',
      version: 1,
      count: 1,
      ruleIndex: 0,
    });
    expect(found.reasoning).toContain('custom rule 1, judged by the language model');
    expect(stub.received).toHaveLength(1);
    expect(stub.received[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(readPrompt(stub.received[0]!.body).texts.get('prompt')).toContain('[EMAIL_REDACTED]');
    expect(stub.received[0]!.body).not.toContain('jane.roe');
    const metrics = await eventually('the call is counted', 10_000, async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return text.includes('cas_judge_call_duration_seconds_count{purpose="audit",outcome="ok"} 1')
        ? text
        : undefined;
    });
    expect(metrics + service.output() + JSON.stringify(found)).not.toMatch(/kestrel|jane\.roe|all of it/);
  }, 60_000);

  test('while the endpoint is down audits wait, the service is degraded, and no attempt is used', async () => {
    stub.behave(status(503));
    const auditId = await ingest('You will have it on Friday.');
    await eventually('degraded', 20_000, async () => ((await readiness()) === 'degraded' ? true : undefined));
    stub.behave(good);
    const found = await signal(auditId);
    expect(found.violations).toContain('CUSTOM_RULE');
    expect((await customer.client.request('GET', `/audits/${auditId}`)).body.attempts).toBe(1);
    await eventually('ready', 20_000, async () => ((await readiness()) === 'ready' ? true : undefined));
    expect(service.output()).not.toMatch(/kestrel|jane\.roe|on Friday/);
  }, 60_000);
});
