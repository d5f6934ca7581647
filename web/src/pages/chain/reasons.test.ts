import { expect, test } from '#jest';
import { isSignalId, reasonOf } from './reasons.ts';

test('reasons are told in words, and unknown ones as they are', () => {
  expect(reasonOf('MISSING')).toMatch(/gone/);
  expect([reasonOf('toString'), reasonOf('NEW')]).toEqual(['toString', 'NEW']);
});

test('only ids of signals lead to signals', () => {
  const id = '01a21a1c-2e3e-719d-bec7-c904893c7880';
  expect([id, `signal:${id}`, `${id}:3`, null, '../x'].map((one) => isSignalId(one))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
