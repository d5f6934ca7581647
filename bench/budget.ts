import path from 'node:path';
import { print, printTable } from '../cli/command/output.ts';
import { type Budget, meanOf, measureBudgets } from './budget/measure.ts';
import { loadInTurns } from './budget/turns.ts';
import { BODIES } from './load/bodies.ts';
import { optionsOf } from './options.ts';
import { type EmbeddedService, startEmbeddedService } from './service/embedded-service.ts';

/**
 * Measures the CPU time of an audit stage by stage, in microseconds and as a ratio to a fixed computation of the same
 * run, so that figures from different days can be compared. Uses the embedded service and takes under a minute.
 *
 * `--beside` names the folder of another checkout with its own build (`npm run build`); the ratio then compares this
 * build with the other one. Two services of each build take turns of a few seconds, because the machine's speed changes
 * by the minute, and one process can be a few percent slower than another of the same build for its whole life.
 */
const { values } = optionsOf('budget', { rate: 500, seconds: 8, beside: null });
const RATE_PER_SECOND = values.rate;
const SECONDS = values.seconds;
const CUSTOMERS = 24;
/** Until the service's code is compiled, an audit costs twice as much. */
const WARM_UP = { kind: '1.2 KB', ratePerSecond: RATE_PER_SECOND, seconds: 10 };
const KINDS = Object.keys(BODIES);

/** Names of the rows in order of first appearance. */
const rowNames = (budgets: readonly Budget[]): string[] => [
  ...new Set(budgets.flatMap(({ us }) => [...us.keys()])),
];

const cell = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '';

/** `budgets` in the order of `KINDS`. */
function printOne(budgets: readonly Budget[]): void {
  printTable(
    ['CPU of an audit', ...KINDS.flatMap((kind) => [`${kind}, us`, 'ratio'])],
    rowNames(budgets).map((name) => [
      name,
      ...budgets.flatMap(({ us, referenceUs }) => {
        const spent = us.get(name);
        return [cell(spent, 0), cell(spent === undefined ? spent : spent / referenceUs, 2)];
      }),
    ]),
  );
  print(`reference, us: ${budgets.map(({ referenceUs }) => referenceUs.toFixed(1)).join(', ')}`);
}

/** Budgets of both builds, in the order of `KINDS`. */
function printPair(here: readonly Budget[], there: readonly Budget[]): void {
  printTable(
    ['CPU of an audit, us', ...KINDS.flatMap((kind) => [kind, 'beside', 'ratio'])],
    rowNames([...here, ...there]).map((name) => [
      name,
      ...KINDS.flatMap((_, kind) => {
        const [mine, theirs] = [here[kind]?.us.get(name), there[kind]?.us.get(name)];
        const ratio = mine !== undefined && theirs !== undefined ? mine / theirs : undefined;
        return [cell(mine, 0), cell(theirs, 0), cell(ratio, 3)];
      }),
    ]),
  );
}

/** `undefined` means this build. It starts first and last, because the start order affects the result. */
const other = values.beside === undefined ? undefined : path.resolve(values.beside);
const builds = other === undefined ? [undefined] : [undefined, other, other, undefined];
const services: EmbeddedService[] = [];
try {
  for (const build of builds) services.push(await startEmbeddedService(CUSTOMERS, { build }));
  print('warming up ...');
  await loadInTurns(services, WARM_UP);
  const budgets: Budget[][] = [];
  for (const kind of KINDS) {
    print(`${kind}: ${RATE_PER_SECOND}/s for ${SECONDS} s ...`);
    budgets.push(await measureBudgets(services, { kind, ratePerSecond: RATE_PER_SECOND, seconds: SECONDS }));
  }
  const meansOf = (build: string | undefined): Budget[] =>
    budgets.map((each) => meanOf(each.filter((_, at) => builds[at] === build)));
  if (other === undefined) printOne(budgets.flat());
  else printPair(meansOf(undefined), meansOf(other));
} finally {
  for (const service of services) await service.stop();
}
