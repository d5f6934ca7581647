import { describe, expect, test } from '#jest';
import { curlExample, firstSteps } from './steps.ts';

const UNKNOWN = { sandboxes: null, activeKeys: null, audits: null, signals: null };
const done = (begun: object): string =>
  firstSteps({ ...UNKNOWN, ...begun })
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id)
    .join();
const next = (begun: object): string | undefined =>
  firstSteps({ ...UNKNOWN, ...begun }).find(({ isNext }) => isNext)?.id;

describe('first steps', () => {
  test('begin with the sandbox', () => {
    expect([done({}), next({})]).toEqual(['', 'sandbox']);
  });

  test('tick themselves, in whatever order they were taken', () => {
    expect([done({ activeKeys: 1 }), next({ activeKeys: 1 })]).toEqual(['key', 'sandbox']);
    expect(next({ sandboxes: 1, activeKeys: 1 })).toBe('audit');
  });

  test('a key that was revoked after the first audit is no step back', () =>
    expect(done({ sandboxes: 1, activeKeys: 0, audits: 2 })).toBe('sandbox,key,audit'));

  test('end', () => {
    const all = { sandboxes: 1, activeKeys: 1, audits: 1, signals: 1 };
    expect([done(all), next(all)]).toEqual(['sandbox,key,audit,signal', undefined]);
  });
});

test('the example is one command, whatever is in the address', () => {
  const example = curlExample("http://a.example/o'brien", 'support', null);
  expect(example).toContain(`'http://a.example/o'\\''brien/audit/ingest'`);
  expect(example).toContain('"sandboxSlug": "support"');
  expect(example).toContain('$KEY');
});

test('the example has the key where there is one to show', () => {
  const example = curlExample('http://a.example', 'my-app', 'cas_0123');
  expect(example).toContain("-H 'x-service-key: cas_0123'");
  expect(example).not.toContain('$KEY');
});
