import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { type Harness, startHarness } from '../testing/harness.ts';
import { withoutBasePath } from './base-path.ts';

describe('a proxy’s path', () => {
  test.each([
    ['/audit', '/'],
    ['/audit/', '/'],
    ['/audit?x=/ui/', '/?x=/ui/'],
    ['/audit/ui/signals?range=24h', '/ui/signals?range=24h'],
    ['/audit/audit/ingest', '/audit/ingest'],
    ['/audit/audits/7', '/audits/7'],
    ['/audit/health/live', '/health/live'],
    ['/audit/openapi.json', '/openapi.json'],
    // As sent by a proxy that removes the path.
    ['/audit/ingest', '/audit/ingest'],
    ['/audit/ingest/batch', '/audit/ingest/batch'],
    ['/audits', '/audits'],
    ['/audits/7', '/audits/7'],
    ['/health/ready', '/health/ready'],
    ['/', '/'],
    ['/audit/nothing', '/audit/nothing'],
    ['/audit//ui/', '//ui/'],
    ['/%61udit/ui/', '/%61udit/ui/'],
    ['/other/audit/ui/', '/other/audit/ui/'],
  ])('%s is read as %s', (url, expected) => {
    expect(withoutBasePath('/audit', ROUTES)(url)).toBe(expected);
  });

  test('with several segments is removed as a whole', () => {
    const strip = withoutBasePath('/tools/audit', ROUTES);
    expect(['/tools/audit/docs', '/tools/docs', '/docs'].map(strip)).toEqual([
      '/docs',
      '/tools/docs',
      '/docs',
    ]);
  });
});

describe('a service under a path', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ settings: { basePath: '/audit', trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(() => harness.close());

  test('names and redirects to addresses under it', async () => {
    const { body } = await harness.call({ url: '/audit' });
    expect(body).toMatchObject({
      openapi: '/audit/openapi.json',
      docs: '/audit/docs',
      ui: '/audit/ui/',
      health: '/audit/health/ready',
    });
    for (const url of ['/audit', '/audit/', '/']) {
      const { status, headers } = await harness.call({ url, headers: { accept: 'text/html' } });
      expect([status, headers.location]).toEqual([302, '/audit/ui/']);
    }
    const { body: description } = await harness.call({ url: '/audit/openapi.json' });
    expect(description.servers).toEqual([expect.objectContaining({ url: '/audit' })]);
  });

  test('answers there and at the root, and at no other path', async () => {
    const statuses = async (urls: readonly string[]): Promise<number[]> =>
      Promise.all(urls.map(async (url) => (await harness.call({ url })).status));
    expect(await statuses(['/audit/health/live', '/health/live', '/audit/docs', '/audit/ui/'])).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await statuses(['/other/health/live', '/audit/audit/health/live', '/auditx/docs'])).toEqual([
      404, 404, 404,
    ]);
  });

  test.each([
    ['http', /^cas_session=\w[^;]*; Path=\/audit; HttpOnly; SameSite=Strict$/],
    ['https', /^__Secure-cas_session=\w[^;]*; Path=\/audit; HttpOnly; SameSite=Strict; Secure$/],
  ])('limits a browser’s session over %s to its path', async (protocol, expected) => {
    const headers = { 'x-forwarded-proto': protocol };
    const payload = {
      email: `${protocol}@example.org`,
      password: 'seven quiet grey herons',
      name: 'Ann',
      type: 'INDIVIDUAL',
    };
    const made = await harness.call({ method: 'POST', url: '/audit/accounts', headers, payload });
    const cookie = String(made.headers['set-cookie']);
    expect(cookie).toMatch(expected);
    const session = { ...headers, cookie: cookie.split(';')[0]! };
    const current = await harness.call({ url: '/audit/sessions/current', headers: session });
    expect([current.status, current.body.user]).toEqual([
      200,
      expect.objectContaining({ email: payload.email }),
    ]);
    const ended = await harness.call({
      method: 'DELETE',
      url: '/audit/sessions',
      headers: { ...session, 'x-csrf-token': current.body.csrfToken },
    });
    expect(String(ended.headers['set-cookie'])).toMatch(/=; Max-Age=0; Path=\/audit; /);
  });
});
