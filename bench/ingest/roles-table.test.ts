import { expect, test } from '#jest';
import { type RoleUse, rolesRows } from './roles-table.ts';

const api: RoleUse = {
  name: 'api',
  audits: 500,
  seconds: 5,
  cpuSeconds: 0.5,
  busiestThreadSeconds: 0.25,
  residentMiB: 100,
  diskBytes: null,
};
const kafka: RoleUse = { ...api, name: 'kafka', cpuSeconds: 0.1, diskBytes: 2_000_000 };

test('scales figures to 1,000 audits, averages the runs and reports their peak memory', () => {
  const second = { ...api, audits: 1_000, cpuSeconds: 1.5, busiestThreadSeconds: 0.5, residentMiB: 120 };
  const [row] = rolesRows([[api], [second]]);
  expect(row).toEqual(['api', '1.25', '40 %', '0.50', '2000', '120', '']);
});

test('ends with a sum of all roles, without a busiest thread', () => {
  expect(rolesRows([[api, kafka]]).at(-1)).toEqual(['all', '1.20', '0 %', '', '', '200', '4.00']);
});
