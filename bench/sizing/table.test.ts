import { expect, test } from '#jest';
import { type RoleUse, sizingRows } from './table.ts';

const api: RoleUse = {
  name: 'api',
  audits: 500,
  cpuSeconds: 0.5,
  busiestThreadSeconds: 0.25,
  residentMiB: 100,
  diskBytes: null,
  receivedBytes: 600_000,
  sentBytes: 1_000_000,
};
const kafka: RoleUse = { ...api, name: 'kafka', cpuSeconds: 0.1, diskBytes: 2_000_000 };

test('figures are those of 1,000 audits a second: means of the runs, and the most memory of any', () => {
  const second = { ...api, audits: 1_000, cpuSeconds: 1.5, busiestThreadSeconds: 0.5, residentMiB: 120 };
  const [row] = sizingRows([[api], [{ ...second, receivedBytes: 1_200_000, sentBytes: 2_000_000 }]]);
  expect(row).toEqual(['api', '1.25', '40 %', '0.50', '2000', '120', '', '1.20', '2.00']);
});

test('the last row is the sum, without a thread', () => {
  expect(sizingRows([[api, kafka]]).at(-1)).toEqual([
    'all',
    '1.20',
    '0 %',
    '',
    '',
    '200',
    '4.00',
    '2.40',
    '4.00',
  ]);
});
