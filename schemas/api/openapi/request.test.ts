import { expect, test } from '#jest';
import { getSandboxVersion, listAudits } from '../../endpoints.ts';
import { targetOf } from './request.ts';

test('a target has its path parameters filled in and encoded', () => {
  expect(targetOf(getSandboxVersion, { params: { id: 'a/b c', version: 3 } })).toBe(
    '/sandboxes/a%2Fb%20c/versions/3',
  );
});

test('a target omits filters that are undefined or empty', () => {
  expect(targetOf(listAudits)).toBe('/audits');
  const query = { status: 'FAILED', sandboxSlug: '', from: undefined, cursor: 'a&b 2', limit: 0 };
  expect(targetOf(listAudits, { query })).toBe('/audits?status=FAILED&cursor=a%26b+2&limit=0');
});

test('the compiler refuses path parameters, filters and fields that a contract does not have', () => {
  // @ts-expect-error: the version is missing
  targetOf(getSandboxVersion, { params: { id: 'a' } });
  // @ts-expect-error: no such filter
  expect(targetOf(listAudits, { query: { colour: 'red' } })).toBe('/audits?colour=red');
});
