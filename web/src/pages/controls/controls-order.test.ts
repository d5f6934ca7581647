import { expect, test } from '#jest';
import type { ControlStatus } from '#schemas/vocabulary.ts';
import { gapsFirst, openOf } from './controls-order.ts';

test('gaps come first, and within a status the highest weight', () => {
  const row = (status: string, weight: number) => ({ status: status as ControlStatus, weight });
  const rows = [row('CLEAR', 3), row('OPEN', 1), row('NO_EVIDENCE', 1), row('OPEN', 2), row('NEW', 1)];
  expect(gapsFirst(rows).map(({ status, weight }) => `${status} ${weight}`)).toEqual([
    'NEW 1',
    'NO_EVIDENCE 1',
    'OPEN 2',
    'OPEN 1',
    'CLEAR 3',
  ]);
});

test('a control is identified by framework and id', () => {
  expect(openOf({ framework: 'GDPR', controlId: 'Art. 5(1)(a)' })).toBe('GDPR:Art. 5(1)(a)');
});
