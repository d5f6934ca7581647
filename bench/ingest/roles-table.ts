/** Resources that one role used for `audits` audits. */
export interface RoleUse {
  readonly name: string;
  readonly audits: number;
  /** Length of the measurement. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly busiestThreadSeconds: number;
  readonly residentMiB: number;
  /** Null for a role without data on disk. */
  readonly diskBytes: number | null;
}

const PER_SECOND = 1_000;
const MB = 1e6;

export const ROLES_HEAD = [
  `per ${PER_SECOND} audits a second`,
  'CPU, cores',
  'spread',
  'busiest thread, cores',
  'one such thread, audits/s',
  'memory, MiB',
  'disk, MB/s',
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Largest minus smallest, as a share of the mean. */
const spread = (values: readonly number[]): string =>
  `${(((Math.max(...values) - Math.min(...values)) / mean(values)) * 100).toFixed(0)} %`;

/** The row of a role: means over its runs, except memory, which is the maximum. */
function roleRow(runs: readonly RoleUse[]): string[] {
  const per = (of: (use: RoleUse) => number): number[] =>
    runs.map((use) => (of(use) / use.audits) * PER_SECOND);
  const cores = per((use) => use.cpuSeconds);
  const thread = mean(per((use) => use.busiestThreadSeconds));
  const hasDisk = runs.every(({ diskBytes }) => diskBytes !== null);
  return [
    runs[0]!.name,
    mean(cores).toFixed(2),
    spread(cores),
    thread.toFixed(2),
    thread === 0 ? '' : String(Math.round(PER_SECOND / thread / 10) * 10),
    String(Math.max(...runs.map(({ residentMiB }) => residentMiB))),
    hasDisk ? (mean(per(({ diskBytes }) => diskBytes ?? 0)) / MB).toFixed(2) : '',
  ];
}

/** The sum over all roles of one run; summing busiest threads or memory would be meaningless. */
function sumOf(roles: readonly RoleUse[]): RoleUse {
  const sum = (of: (use: RoleUse) => number): number => roles.reduce((total, use) => total + of(use), 0);
  return {
    name: 'all',
    audits: roles[0]!.audits,
    seconds: roles[0]!.seconds,
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    busiestThreadSeconds: 0,
    residentMiB: sum(({ residentMiB }) => residentMiB),
    diskBytes: sum(({ diskBytes }) => diskBytes ?? 0),
  };
}

/** Rows of all roles, in the order of the first run, and their sum. */
export function rolesRows(runs: readonly (readonly RoleUse[])[]): string[][] {
  const names = runs[0]!.map(({ name }) => name);
  const rows = names.map((name) => roleRow(runs.map((run) => run.find((use) => use.name === name)!)));
  const all = roleRow(runs.map(sumOf));
  return [...rows, all.map((cell, at) => (ROLES_HEAD[at]!.startsWith('busiest') ? '' : cell))];
}

/** Cores of all roles per 1,000 audits a second, which is CPU ms per audit. */
export const coresOf = (roles: readonly RoleUse[]): number =>
  (sumOf(roles).cpuSeconds / roles[0]!.audits) * PER_SECOND;
