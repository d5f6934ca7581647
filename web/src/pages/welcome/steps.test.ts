import { describe, expect, test } from '#jest';
import { curlExample, exampleSlug, firstSteps } from './steps.ts';

const UNKNOWN = { sandboxes: null, activeKeys: null, audits: null, signals: null };
const done = (existing: object): string =>
  firstSteps({ ...UNKNOWN, ...existing })
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id)
    .join();
const next = (existing: object): string | undefined =>
  firstSteps({ ...UNKNOWN, ...existing }).find(({ isNext }) => isNext)?.id;

describe('first steps', () => {
  test('start with the sandbox', () => {
    expect([done({}), next({})]).toEqual(['', 'sandbox']);
  });

  test('complete themselves, in any order', () => {
    expect([done({ activeKeys: 1 }), next({ activeKeys: 1 })]).toEqual(['key', 'sandbox']);
    expect(next({ sandboxes: 1, activeKeys: 1 })).toBe('audit');
  });

  test('stay done when a key is revoked after the first audit', () =>
    expect(done({ sandboxes: 1, activeKeys: 0, audits: 2 })).toBe('sandbox,key,audit'));

  test('end when all are done', () => {
    const all = { sandboxes: 1, activeKeys: 1, audits: 1, signals: 1 };
    expect([done(all), next(all)]).toEqual(['sandbox,key,audit,signal', undefined]);
  });
});

test('the example is one command, whatever the address contains', () => {
  const example = curlExample("http://a.example/o'brien", 'support', null);
  expect(example).toContain(`'http://a.example/o'\\''brien/audit/ingest'`);
  expect(example).toContain('"sandboxSlug": "support"');
  expect(example).toContain('$KEY');
});

test('the example contains the key if there is one to show', () => {
  const example = curlExample('http://a.example', 'my-app', 'cas_0123');
  expect(example).toContain("-H 'x-service-key: cas_0123'");
  expect(example).not.toContain('$KEY');
});

test('the example is sent to a sandbox that suits its prompt, otherwise to the first', () => {
  expect(exampleSlug(['hr-assistant', 'customer-support'])).toBe('customer-support');
  expect(exampleSlug(['customer-support', 'my-app'])).toBe('my-app');
  expect(exampleSlug(['hr-assistant', 'code-assistant'])).toBe('hr-assistant');
  expect(exampleSlug([])).toBeUndefined();
});
