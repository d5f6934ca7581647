import { Presets, SingleBar } from 'cli-progress';
import type { ShownCorrelationRun, ShownPattern } from '#schemas/api/evidence/correlations.ts';
import { print, printTable } from '../command/output.ts';

/** A run that is COMPLETED, with a row for each pattern, the most certain first. */
export function printRun(run: ShownCorrelationRun): void {
  const { id, parameters, analyzedSignals, patternCount, patternsLeftOut, patterns } = run;
  const { startDate, endDate, sandboxSlug } = parameters;
  const where = sandboxSlug === null ? '' : ` of sandbox ${sandboxSlug}`;
  print(
    `Run ${id} looked at ${plural(analyzedSignals, 'signal')}${where} from ${startDate} to ${endDate}: ${plural(patternCount ?? 0, 'pattern')}.`,
  );
  if (patterns === null || patterns.length === 0) return;
  printTable(
    ['type', 'key', 'signals', 'came', 'usual', 'score', 'risk', 'first seen (UTC)', 'last seen', 'what'],
    patterns.map(rowOf),
  );
  if (patternsLeftOut > 0)
    print(`${plural(patternsLeftOut, 'more pattern')} not kept: the least certain ones.`);
}

/** `came` and `usual` are in one unit, a number of signals or a share of them; `signals` is always a number. */
const rowOf = (pattern: ShownPattern): (string | number)[] => [
  pattern.status === 'RETRACTED' ? `${pattern.type} (retracted)` : pattern.type,
  pattern.key,
  pattern.count,
  short(pattern.observed),
  short(pattern.baseline),
  pattern.score.toFixed(2),
  pattern.riskLevel,
  minuteOf(pattern.firstSeen),
  minuteOf(pattern.lastSeen),
  pattern.description,
];

/** Three significant digits are enough to compare, and no integer loses one. */
const short = (number: number): string =>
  Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(3)));
const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ');
const plural = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

interface RunProgress {
  show(run: ShownCorrelationRun): void;
  stop(): void;
}

/** A bar while a run is under way, on a terminal; a job's log stays empty. */
export function runProgress(stream: NodeJS.WriteStream): RunProgress {
  const bar = new SingleBar(
    {
      format: '[{bar}] {percentage}%  {looked} of {most} signals  {duration_formatted}',
      hideCursor: true,
      stream,
    },
    Presets.shades_classic,
  );
  let isShown = false;
  return {
    show: ({ status, progress, analyzedSignals, totalSignals }) => {
      if (!stream.isTTY || (status !== 'RUNNING' && !isShown)) return;
      const shown = {
        looked: analyzedSignals.toLocaleString('en'),
        most: totalSignals.toLocaleString('en'),
      };
      const percent = Math.round(100 * progress);
      if (isShown) bar.update(percent, shown);
      else bar.start(100, percent, shown);
      isShown = true;
    },
    stop: () => {
      if (isShown) bar.stop();
      isShown = false;
    },
  };
}
