import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, test } from '#jest';
import { hostCheck } from '#platform/config/allowed-hosts.ts';
import { type Harness, startHarness } from './testing/harness.ts';

/** Paths without a key: everyone gets the same answer, and callers differ only by their address. */

let harness: Harness;
afterEach(() => harness.close());

describe('an answer that is the same for all', () => {
  test('is computed once a second, however many requests', async () => {
    let reads = 0;
    const readiness = async () => {
      reads++;
      return { status: 'ready' as const, checks: { log: { ok: true } } };
    };
    let collected = 0;
    const metrics = new Registry();
    new Counter({
      name: 'cas_seen_total',
      help: 'seen',
      registers: [metrics],
      collect() {
        collected++;
      },
    });
    harness = await startHarness({ dependencies: { readiness, metrics } });
    const ask = async (url: string): Promise<void> => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => harness.call({ url })));
      for (const { status, text } of answers) {
        expect(status).toBe(200);
        expect(text).toBe(answers[0]!.text);
      }
    };
    await ask('/health/ready');
    await ask('/metrics');
    expect([reads, collected]).toEqual([1, 1]);
    harness.skew += 1_000;
    await ask('/health/ready');
    await ask('/metrics');
    expect([reads, collected]).toEqual([2, 2]);
  });
});

describe('an address without a key', () => {
  const URLS = ['/metrics', '/openapi.json', '/docs', '/docs/swagger-ui.css', '/'];
  const askOften = async (count: number, remoteAddress: string): Promise<number[]> => {
    const answers = Array.from({ length: count }, (_, index) =>
      harness.call({ url: URLS[index % URLS.length]!, remoteAddress }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };

  test('is refused with Retry-After beyond its rate, without affecting other addresses', async () => {
    harness = await startHarness();
    const asked = Array.from({ length: 1_000 }, () => harness.call({ url: '/', remoteAddress: '192.0.2.1' }));
    const refused = (await Promise.all(asked)).find(({ status }) => status !== 200)!;
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      '1',
    ]);
    expect(new Set(await askOften(100, '192.0.2.2'))).toEqual(new Set([200]));
    harness.skew += 60_000;
    expect(new Set(await askOften(100, '192.0.2.1'))).toEqual(new Set([200]));
  });

  test('accepts any query from probes', async () => {
    harness = await startHarness();
    for (const url of ['/health/live', '/health/ready'])
      expect((await harness.call({ url: `${url}?t=1&_=cas_x` })).status).toBe(200);
  });

  test('is never refused for probes, nor is a customer at the same address', async () => {
    harness = await startHarness();
    const customer = await harness.customer();
    await askOften(400, '127.0.0.1');
    for (const url of ['/health/live', '/health/ready'])
      expect((await harness.call({ url })).status).toBe(200);
    const { status } = await harness.call({ url: '/sandboxes', headers: customer.headers });
    expect(status).toBe(200);
  });
});

describe('a proxy', () => {
  const forwarded = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
  const settings = { trustedProxies: ['10.0.0.0/8'] };
  const start = async (): Promise<void> => {
    const first = await startHarness();
    await first.close();
    // The clock is fixed, so no bucket refills.
    const dependencies = { now: () => 0, settings: { ...first.dependencies.settings, ...settings } };
    harness = await startHarness({ dependencies });
  };
  const askOften = (count: number, remoteAddress: string, address: string) =>
    Promise.all(
      Array.from({ length: count }, () =>
        harness.call({ url: '/metrics', remoteAddress, headers: forwarded(address) }),
      ),
    );

  test('that is trusted reports the address that counts; for any other its own address counts', async () => {
    await start();
    const last = async (remoteAddress: string, address: string): Promise<number> =>
      (await askOften(300, remoteAddress, address)).at(-1)!.status;
    expect(await last('10.1.2.3', '192.0.2.1')).toBe(429);
    expect((await askOften(1, '10.1.2.3', '192.0.2.2'))[0]!.status).toBe(200);
    // A client's forged addresses come before the one that the proxy saw.
    expect((await askOften(1, '10.1.2.3', '203.0.113.9, 192.0.2.1'))[0]!.status).toBe(429);
    expect(await last('198.51.100.1', '192.0.2.3')).toBe(429);
    expect((await askOften(1, '198.51.100.1', '192.0.2.4'))[0]!.status).toBe(429);
  });

  test('that is trusted and reports https makes every answer require TLS of browsers', async () => {
    await start();
    const customer = await harness.customer();
    const requests = [
      { url: '/docs' },
      { url: '/docs/swagger-ui.css' },
      { url: '/health/live' },
      { url: '/nowhere' },
      { url: '/sandboxes' },
      { url: '/sandboxes', headers: customer.headers },
      { url: '/dashboard/stats', headers: customer.headers },
      { url: '/sandboxes', method: 'OPTIONS' as const },
    ];
    for (const { headers = {}, ...request } of requests) {
      const through = {
        ...request,
        remoteAddress: '10.1.2.3',
        headers: { ...headers, ...forwarded('192.0.2.1') },
      };
      const answer = await harness.app.inject(through);
      expect([request.url, answer.headers['strict-transport-security']]).toEqual([
        request.url,
        'max-age=31536000',
      ]);
      const direct = await harness.app.inject({ ...through, remoteAddress: '198.51.100.1' });
      expect(direct.headers['strict-transport-security']).toBeUndefined();
    }
  });
});

describe('a service on loopback', () => {
  test('reveals nothing to another site’s page', async () => {
    const first = await startHarness();
    await first.close();
    const settings = {
      ...first.dependencies.settings,
      isAllowedHost: hostCheck('127.0.0.1', ['cas.internal']),
    };
    harness = await startHarness({ dependencies: { settings } });
    for (const url of [
      '/metrics',
      '/health/ready',
      '/health/live',
      '/openapi.json',
      '/docs',
      '/',
      '/audits',
    ]) {
      const refused = await harness.call({ url, headers: { host: 'evil.example:8080' } });
      expect([url, refused.status, refused.body.code]).toEqual([url, 421, 'HOST_NOT_ALLOWED']);
      expect(JSON.stringify(refused.body)).not.toContain('cas.internal');
    }
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'cas.internal']) {
      expect((await harness.call({ url: '/metrics', headers: { host } })).status).toBe(200);
    }
    const asked = { 'x-forwarded-host': 'localhost', host: 'evil.example' };
    expect((await harness.call({ url: '/metrics', headers: asked })).status).toBe(421);
  });
});
