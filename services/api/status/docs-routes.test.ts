import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { type Harness, startHarness } from '../testing/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

describe('the reader of the description', () => {
  test('is a page that needs no key and loads everything from this server', async () => {
    const page = await harness.call({ url: '/docs' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.text).not.toMatch(/https?:|style=|onload=|<script>/);
    const linked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(linked).toHaveLength(4);
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
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  test('reads the description of every operation, the same whoever asks first', async () => {
    const answers = await Promise.all([1, 2].map(() => harness.call({ url: '/openapi.json' })));
    const described = openApi(ROUTES, { keyHeader: harness.dependencies.settings.keyHeader });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of answers) expect(body).toEqual(JSON.parse(JSON.stringify(described)));
  });

  test('asks for the description and for nothing from elsewhere', async () => {
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
  ])('%s is no file of it', async (file) => {
    expect((await harness.call({ url: `/docs/${file}` })).status).toBe(404);
  });
});
