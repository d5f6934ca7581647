import { expect, test } from '#jest';
import { isSignalId, reasonOf } from './reasons.ts';

test('reasons are shown in words, including those of a newer release', () => {
  expect(reasonOf('MISSING')).toBe('Entry missing without an erasure record');
  expect([reasonOf('toString'), reasonOf('NEW_REASON')]).toEqual(['tostring', 'new reason']);
});

test('only signal ids link to signals', () => {
  const id = '01a21a1c-2e3e-719d-bec7-c904893c7880';
  expect([id, `signal:${id}`, `${id}:3`, null, '../x'].map((one) => isSignalId(one))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
