import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { CUSTOMER_ROUTES, OPERATOR_ROUTES, ROUTES } from '#schemas/api/openapi/routes.ts';
import { type Harness, internalHeaders, startHarness } from '../testing/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('the API reference', () => {
  test('is a page that needs no key and loads everything from this server', async () => {
    const page = await harness.call({ url: '/docs' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.text).not.toMatch(/https?:|style=|onload=|<script>/);
    const linked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(linked).toHaveLength(5);
    const types = [];
    for (const address of linked) {
      const file = await harness.call({ url: new URL(address, 'http://host/docs').pathname });
      expect(file.status).toBe(200);
      expect(file.text.length).toBeGreaterThan(100);
      types.push(String(file.headers['content-type']));
    }
    expect(types).toEqual([
      'image/png',
      'text/css; charset=utf-8',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  test('shows the operations of customers, the same document for concurrent readers', async () => {
    const answers = await Promise.all([1, 2].map(() => harness.call({ url: '/openapi.json' })));
    const described = openApi(CUSTOMER_ROUTES, { keyHeader: harness.dependencies.settings.keyHeader });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of answers) expect(body).toEqual(JSON.parse(JSON.stringify(described)));
  });

  test('leaves operations of operators to their own document, which needs the internal secret', async () => {
    expect((await harness.call({ url: '/internal/openapi.json' })).status).toBe(401);
    const { status, body } = await harness.call({ url: '/internal/openapi.json', headers: internalHeaders });
    const { keyHeader } = harness.dependencies.settings;
    const described = openApi(OPERATOR_ROUTES, { keyHeader, readers: 'operators' });
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(described))]);
    expect([...CUSTOMER_ROUTES, ...OPERATOR_ROUTES]).toHaveLength(ROUTES.length);
    expect(
      CUSTOMER_ROUTES.filter(({ path, auth }) => path.startsWith('/internal') || auth === 'internal'),
    ).toEqual([]);
  });

  test('requests the description, and nothing from other hosts', async () => {
    const { text } = await harness.call({ url: '/docs/start.js' });
    expect(text).toContain("'openapi.json'");
    expect(text).toContain('validatorUrl: null');
  });

  test.each([
    'package.json',
    'swagger-ui.js',
    '..%2Fpackage.json',
    '%2e%2e%2fpackage.json',
    'constructor',
    '__proto__',
  ])('does not serve %s', async (file) => {
    expect((await harness.call({ url: `/docs/${file}` })).status).toBe(404);
  });
});
