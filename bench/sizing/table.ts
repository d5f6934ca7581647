/** What one role used for `audits` audits. */
export interface RoleUse {
  readonly name: string;
  readonly audits: number;
  readonly cpuSeconds: number;
  readonly busiestThreadSeconds: number;
  readonly residentMiB: number;
  /** Null for a role that keeps nothing on disk. */
  readonly diskBytes: number | null;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

const PER_SECOND = 1_000;
const MB = 1e6;

export const SIZING_HEAD = [
  `per ${PER_SECOND} audits a second`,
  'CPU, cores',
  'spread',
  'busiest thread, cores',
  'one such thread, audits/s',
  'memory, MiB',
  'disk, MB/s',
  'received, MB/s',
  'sent, MB/s',
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Largest minus smallest, as a share of the mean. */
const spread = (values: readonly number[]): string =>
  `${(((Math.max(...values) - Math.min(...values)) / mean(values)) * 100).toFixed(0)} %`;

/** The row of a role from its runs: means, but memory is the most that any run took. */
function sizingRow(runs: readonly RoleUse[]): string[] {
  const per = (of: (use: RoleUse) => number): number[] =>
    runs.map((use) => (of(use) / use.audits) * PER_SECOND);
  const cores = per((use) => use.cpuSeconds);
  const thread = mean(per((use) => use.busiestThreadSeconds));
  const hasDisk = runs.every(({ diskBytes }) => diskBytes !== null);
  const megabytes = (of: (use: RoleUse) => number): string => (mean(per(of)) / MB).toFixed(2);
  return [
    runs[0]!.name,
    mean(cores).toFixed(2),
    spread(cores),
    thread.toFixed(2),
    thread === 0 ? '' : String(Math.round(PER_SECOND / thread / 10) * 10),
    String(Math.max(...runs.map(({ residentMiB }) => residentMiB))),
    hasDisk ? megabytes(({ diskBytes }) => diskBytes ?? 0) : '',
    megabytes(({ receivedBytes }) => receivedBytes),
    megabytes(({ sentBytes }) => sentBytes),
  ];
}

/** The sum over all roles of one run; its threads and memory are no sums that say anything. */
function sumOf(roles: readonly RoleUse[]): RoleUse {
  const sum = (of: (use: RoleUse) => number): number => roles.reduce((total, use) => total + of(use), 0);
  return {
    name: 'all',
    audits: roles[0]!.audits,
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    busiestThreadSeconds: 0,
    residentMiB: sum(({ residentMiB }) => residentMiB),
    diskBytes: sum(({ diskBytes }) => diskBytes ?? 0),
    receivedBytes: sum(({ receivedBytes }) => receivedBytes),
    sentBytes: sum(({ sentBytes }) => sentBytes),
  };
}

/** Rows of all roles, in the order of the first run, and their sum. */
export function sizingRows(runs: readonly (readonly RoleUse[])[]): string[][] {
  const names = runs[0]!.map(({ name }) => name);
  const rows = names.map((name) => sizingRow(runs.map((run) => run.find((use) => use.name === name)!)));
  const all = sizingRow(runs.map(sumOf));
  return [...rows, all.map((cell, at) => (SIZING_HEAD[at]!.startsWith('busiest') ? '' : cell))];
}
