import { Presets, SingleBar } from 'cli-progress';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import { minuteOf, plural, print, printTable } from '../command/output.ts';
import { type Cause, groupByCause } from './group-by-cause.ts';

/** Prints a COMPLETED run, with a row per event, the most certain first. */
export function printRun(run: ShownCorrelationRun): void {
  const { id, parameters, analyzedSignals, patternCount, patternsLeftOut, patterns } = run;
  const { startDate, endDate, sandboxSlug } = parameters;
  const where = sandboxSlug === null ? '' : ` in sandbox ${sandboxSlug}`;
  print(
    `Searched ${plural(analyzedSignals, 'signal')}${where}, ${minuteOf(startDate)} to ${minuteOf(endDate)} UTC.`,
  );
  print(`Run ${id}`);
  if (patterns === null || patterns.length === 0) {
    print('\nNo patterns found.');
    return;
  }
  const causes = groupByCause(patterns);
  print(`\n${plural(patternCount ?? patterns.length, 'pattern')} from ${plural(causes.length, 'event')}:\n`);
  printTable(['risk', 'seen (UTC)', 'signals', 'patterns', 'what happened'], causes.map(rowOf));
  if (patternsLeftOut > 0)
    print(`\n${plural(patternsLeftOut, 'pattern')} not stored: the least certain ones.`);
  print(`\nAll details: cas correlate --run ${id} --json`);
}

function rowOf(cause: Cause): (string | number)[] {
  const [first] = cause;
  const firstSeen = cause.map((one) => one.firstSeen).toSorted()[0]!;
  const lastSeen = cause
    .map((one) => one.lastSeen)
    .toSorted()
    .at(-1)!;
  return [
    RISK_LEVELS.findLast((level) => cause.some(({ riskLevel }) => riskLevel === level))!,
    `${minuteOf(firstSeen)} to ${lastSeen.slice(0, 10) === firstSeen.slice(0, 10) ? lastSeen.slice(11, 16) : minuteOf(lastSeen)}`,
    Math.max(...cause.map(({ count }) => count)),
    kindsOf(cause),
    first.description,
  ];
}

/** "BURST RECURRING (3)": each type once, with its number of patterns. */
function kindsOf(cause: Cause): string {
  const counts = new Map<string, number>();
  for (const { type, status } of cause) {
    const kind = status === 'RETRACTED' ? `${type} (retracted)` : type;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => (count === 1 ? kind : `${kind} (${count})`)).join(', ');
}

const BAR_COLUMNS = 20;

interface RunProgress {
  show(run: ShownCorrelationRun): void;
  stop(): void;
}

/** A bar while a run is in progress, on a terminal; a job's log stays empty. */
export function runProgress(stream: NodeJS.WriteStream): RunProgress {
  const bar = new SingleBar(
    {
      format: '[{bar}] {percentage}%  {looked} of {most} signals  {duration_formatted}',
      barsize: BAR_COLUMNS,
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
