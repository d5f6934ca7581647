import { print, printTable } from '../../cli/command/output.ts';
import type { MeasuredLoad } from '../service/measured-load.ts';
import { ALL, cpuMsPerAudit, type IdleCores, type Round, ratioOf, withoutWaiting } from './cost.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const allMs = (measured: MeasuredLoad): number => cpuMsPerAudit(measured).get(ALL)!;

const inReferences = (ms: number, { referenceUs }: MeasuredLoad): number => (ms * 1_000) / referenceUs;

/** Ms and multiple of the reference computation, each the mean of the rounds; blank for a process that is not there. */
function meanCells(name: string, measured: readonly MeasuredLoad[]): string[] {
  const each = measured.flatMap((one) => {
    const ms = cpuMsPerAudit(one).get(name);
    return ms === undefined ? [] : [{ ms, references: inReferences(ms, one) }];
  });
  if (each.length === 0) return ['', ''];
  return [mean(each.map(({ ms }) => ms)).toFixed(3), mean(each.map((one) => one.references)).toFixed(1)];
}

const loadCells = (measured: MeasuredLoad): string[] => [
  allMs(measured).toFixed(3),
  inReferences(allMs(measured), measured).toFixed(1),
  measured.load.perSecond.toFixed(0),
  measured.load.p99Ms.toFixed(0),
];

const percents = (cores: ReadonlyMap<string, number>): string =>
  [...cores].map(([name, used]) => `${name} ${(used * 100).toFixed(1)} %`).join(', ');

/** The means by process, then each round. */
export function printComparison(measured: readonly Round[], idle: IdleCores): void {
  const rounds = measured.map(({ ours, naive }) => ({ ours, naive: withoutWaiting(naive, idle) }));
  const [ours, naive] = [rounds.map((one) => one.ours), rounds.map((one) => one.naive)];
  const names = new Set([...ours, ...naive].flatMap(({ usage }) => usage.map(({ name }) => name)));
  printTable(
    ['CPU of an audit', 'ours, ms', 'references', 'naive, ms', 'references', 'ours / naive'],
    [...names, ALL].map((name) => [
      name,
      ...meanCells(name, ours),
      ...meanCells(name, naive),
      ratioOf(rounds, name)?.toFixed(2) ?? '',
    ]),
  );
  const columns = ['ms', 'references', 'accepted/s', 'p99 ms'];
  printTable(
    ['round', ...columns.map((name) => `ours: ${name}`), ...columns.map((name) => `naive: ${name}`), 'ratio'],
    rounds.map((round, at) => [
      at + 1,
      ...loadCells(round.ours),
      ...loadCells(round.naive),
      ratioOf([round])!.toFixed(2),
    ]),
  );
  const reference = [...ours, ...naive].map(({ referenceUs }) => referenceUs.toFixed(1)).join(', ');
  print(`reference, us: ${reference}`);
  print(
    `of a core while nothing is sent: ${percents(idle.naive)} (naive alone), ${percents(idle.both)} (both); ` +
      'the difference is not counted for the naive pipeline',
  );
}
