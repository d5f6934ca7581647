import type { Observed } from '../run-cases.ts';
import { type Cells, listed, mergedBy, rowsUnder, withRows } from './tables.ts';

/** Headings of docs/proof.md and observed.txt whose tables are generated from observations. */
export const HEADINGS = {
  checks: 'Checks',
  stored: 'What is stored',
  served: 'What is served',
  computed: 'What is served and not stored',
  others: 'Operations that are not asked',
} as const;

export const NOTHING = 'not covered';
/** Stands for all columns of a table, fields of a collection, or files of a package. */
const EVERY = 'each part';
/** Placeholder where an author has to give the reason. */
export const NO_REASON = 'WHY?';

/** Fields that an operation serves according to its contract. */
export interface ServedFields {
  readonly operation: string;
  readonly fields: readonly string[];
}

/** The page with the observations filled in. Keeps its current reasons. */
export function pageOf(
  page: string,
  observed: readonly Observed[],
  contracts: readonly ServedFields[],
  others: readonly string[],
): string {
  const order = rowsUnder(page, HEADINGS.checks).map(([name, , , within]) => [name!, within!] as const);
  const served = servedRows(observed, order);
  const seen = new Set(served.flatMap(({ cells }) => namesOf(cells[0]!, cells[1]!)));
  const computed = contracts.flatMap(({ operation, fields }) =>
    fields
      .filter((field) => !seen.has(`${operation} ${field}`))
      .map((field) => [operation, field, ''] as Cells),
  );
  const withReasons = (heading: string, rows: readonly Cells[], about: readonly number[]): Cells[] =>
    rows.map((cells) => withReason(cells, rowsUnder(page, heading), about));
  const stored = withReasons(HEADINGS.stored, storedRows(observed, order), [0, 1, 2]);
  let next = withRows(page, HEADINGS.stored, mergedBy(stored, 0));
  next = withRows(
    next,
    HEADINGS.served,
    withReasons(HEADINGS.served, grouped(served.map(({ cells }) => cells)), [0, 1, 2]),
  );
  next = withRows(
    next,
    HEADINGS.computed,
    mergedBy(mergedBy(withReasons(HEADINGS.computed, computed, [0, 1]), 1), 0),
  );
  return withRows(
    next,
    HEADINGS.others,
    mergedBy(
      withReasons(
        HEADINGS.others,
        others.map((name) => [name, '']),
        [0],
      ),
      0,
    ),
  );
}

const namesOf = (operations: string, fields: string): string[] =>
  listed(operations).flatMap((operation) => listed(fields).map((field) => `${operation} ${field}`));

type Order = readonly (readonly [name: string, within: string])[];

/** The checks that found it, in the page's order, and how soon the first of them does. */
function findings(found: ReadonlySet<string>, order: Order): [string, string] {
  const names = order.filter(([name]) => found.has(name));
  const unknown = [...found].filter((one) => !order.some(([name]) => name === one));
  if (names.length === 0 && unknown.length === 0) return [NOTHING, ''];
  return [[...names.map(([name]) => name), ...unknown].join(', '), names[0]?.[1] ?? ''];
}

function storedRows(observed: readonly Observed[], order: Order): Cells[] {
  const rows = observed.map(({ place, what, change, found }): Cells => {
    const [names, within] = findings(found, order);
    return [place, what, change, names, within, ''];
  });
  const merged = mergedBy(rows, 1);
  const isOneRow = ([place, , change]: Cells): boolean =>
    merged.filter((row) => row[0] === place && row[2] === change).length === 1;
  // Field names help a reader only if the same change of another field is detected differently.
  const named = merged.map((cells) =>
    cells[2] === 'changed' && listed(cells[1]!).length > 1 && isOneRow(cells) ? cells.with(1, EVERY) : cells,
  );
  return mergedBy(mergedBy(named, 2), 1);
}

interface ServedRow {
  readonly cells: Cells;
}

/** A row for each field of each operation and each source of it; lists the checks that detect every change. */
function servedRows(observed: readonly Observed[], order: Order): ServedRow[] {
  const found = new Map<string, { cells: Cells; found: ReadonlySet<string> }>();
  for (const one of observed.filter(({ change }) => change === 'changed'))
    for (const { operation, field } of one.served) {
      const key = `${operation} ${field} ${one.place}`;
      const names = one.found;
      const known = found.get(key)?.found;
      const both = known === undefined ? names : new Set([...known].filter((name) => names.has(name)));
      found.set(key, { cells: [operation, field, one.place], found: both });
    }
  return [...found.values()].map(({ cells, found: names }) => ({
    cells: [...cells, ...findings(names, order), ''],
  }));
}

const grouped = (rows: readonly Cells[]): Cells[] => mergedBy(mergedBy(mergedBy(rows, 2), 1), 0);

/** A row without a finding keeps the reason of the page's row about the same subject. */
function withReason(cells: Cells, known: readonly Cells[], about: readonly number[]): Cells {
  const last = cells.length - 1;
  if (cells.length > 3 && cells[last - 2] !== NOTHING) return cells;
  const isAbout = (row: Cells): boolean =>
    about.every((index) => listed(cells[index]!).some((name) => listed(row[index]!).includes(name)));
  const reason = known.find((row) => row.at(-1) !== '' && isAbout(row))?.at(-1);
  return cells.with(last, reason ?? NO_REASON);
}
