import { groupBy } from '#schemas/group-by.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { World } from '../world/world.ts';
import { byStory } from './by-story.ts';
import type { Case } from './case.ts';
import type { AnyTable, ColumnChange, KeptTables, Row } from './kept-tables.ts';
import { otherValue } from './other-value.ts';

/** Columns whose highest value selects the served row among rows with the same key. */
const VERSIONS = ['revision', 'version', 'nextOffset'];
/** Columns that distinguish kinds of rows. */
const SORTS = ['kind', 'erased', 'status'];
/** Columns whose content depends on the kind. */
const BY_KIND = ['core', 'detail'];

/** Changes of the tables: each column changed, and rows of each kind removed or restored to an older version. */
export async function tableCases(world: World): Promise<Case[]> {
  const kept = world.tables;
  const cases: Case[] = [];
  for (const table of TABLES as readonly AnyTable[]) {
    const rows = (await kept.rows(table)).sort(inOrder);
    cases.push(...columnCases(world, kept, table, rows), ...rowCases(world, kept, table, rows));
  }
  return cases;
}

/**
 * Orders rows by index, then rows of the ledger's topic first (the customer has one partition there), then by content
 * without the partition, which depends on generated ids.
 */
const inOrder = (one: Row, other: Row): number =>
  Number(one.index ?? 0) - Number(other.index ?? 0) ||
  Number(other.topic === LEDGER.name) - Number(one.topic === LEDGER.name) ||
  byStory(unplaced(one), unplaced(other));

const unplaced = ({ partition, offset, nextOffset, version, ...row }: Row): object => row;

function caseOf(
  { changed }: World,
  table: AnyTable,
  about: Pick<Case, 'parts' | 'change'>,
  apply: () => Promise<void>,
  undo: () => Promise<void>,
): Case {
  return {
    place: table.name,
    readAs: table.name,
    ...about,
    apply: async () => {
      await apply();
      changed(table.name);
    },
    undo: async () => {
      await undo();
      changed(table.name);
    },
  };
}

/** Tables with the index of an entry in each row: checks name it, so that many columns can be changed at once. */
const INDEXED = ['ledger', 'signals', 'entries'];
/** Neighbouring entries prove each other, so changed rows are this far apart. */
const APART = 3;

function columnCases(world: World, kept: KeptTables, table: AnyTable, rows: readonly Row[]): Case[] {
  const served = servedRows(table, rows);
  const changes = columnNames(table).flatMap((column) => changesOf(world, table, served, column));
  const partOf = ({ column, row }: ColumnChange) => ({
    what: column,
    index: INDEXED.includes(table.name) ? Number(row.index) : null,
  });
  return batchesOf(changes).map((some) =>
    caseOf(
      world,
      table,
      { parts: some.map(partOf), change: 'changed' },
      () => kept.change(table, some),
      () => kept.undo(table),
    ),
  );
}

/** Changes of a column, in one row or in one of each kind; the best row comes first. */
function changesOf(world: World, table: AnyTable, served: readonly Row[], column: string): Candidates[] {
  const others = served.map((one) => one[column]);
  return rowsToChange(world, served, column).map((rows) => ({ table, column, rows, others }));
}

interface Candidates {
  readonly table: AnyTable;
  readonly column: string;
  readonly rows: readonly Row[];
  readonly others: readonly unknown[];
}

/** Groups changes to make together: in indexed tables each in a different row, and never in neighbouring rows. */
function batchesOf(candidates: readonly Candidates[]): ColumnChange[][] {
  const batches: ColumnChange[][] = [];
  for (const { table, column, rows, others } of candidates) {
    const isFree = (batch: readonly ColumnChange[]) => (row: Row) =>
      batch.every(
        (one) =>
          one.column !== column && Math.abs(Number(one.row.index) - Number(row.index)) >= distanceIn(table),
      );
    const isIndexed = INDEXED.includes(table.name);
    const batch = isIndexed ? batches.find((one) => rows.some(isFree(one))) : undefined;
    const row = batch === undefined ? rows[0]! : rows.find(isFree(batch))!;
    const change = { column, row, value: changedColumn(column, table.columns[column]!, row[column], others) };
    if (batch === undefined) batches.push([change]);
    else batch.push(change);
  }
  return batches;
}

/** Only the rows of `ledger` are chained. */
const distanceIn = ({ name }: AnyTable): number => (name === 'ledger' ? APART : 1);

/** Rows that may be changed, best first; for columns whose content depends on the kind, separately for each kind. */
function rowsToChange({ ids, customerId }: World, served: readonly Row[], column: string): Row[][] {
  const filled = served.filter((row) => !isEmpty(row[column]));
  const candidates = filled.length > 0 ? filled : served;
  const known = new Set([...Object.values(ids)].flatMap((id) => [id]));
  const isKnown = (row: Row): boolean => Object.values(row).some((value) => known.has(String(value)));
  const best = [
    ...candidates.filter((row) => isKnown(row) && !isErased(row)),
    ...candidates.filter((row) => row.customerId === customerId && !isErased(row)),
    ...candidates,
  ];
  if (best.length === 0) return [];
  if (!BY_KIND.includes(column)) return [best];
  const kinds = [...new Set(candidates.map(({ kind }) => kind))];
  return kinds.map((kind) => best.filter((row) => row.kind === kind));
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === '[]' || (Array.isArray(value) && value.length === 0);
const isErased = ({ erased }: Row): boolean => erased !== undefined && erased !== '' && erased !== false;

/** An SQL expression for a different value of the column. */
function changedColumn(name: string, type: string, value: unknown, others: readonly unknown[]): string {
  if (type.includes('UInt64')) return `\`${name}\` + 1`;
  return literal(type, otherValue(value, others));
}

function literal(type: string, value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `[${value.map((one) => literal('String', one)).join(', ')}]`;
  if (type.includes('DateTime64')) return `parseDateTime64BestEffort(${quoted(timeOf(value))}, 3, 'UTC')`;
  if (typeof value === 'string' && /Int|Float/.test(type)) return '1';
  return typeof value === 'string' ? quoted(value) : String(value);
}

const timeOf = (value: unknown): string =>
  Number.isNaN(Date.parse(String(value))) ? '2026-01-01T00:00:00.000Z' : String(value);
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The row with the highest version for each key. */
function servedRows(table: AnyTable, rows: readonly Row[]): Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(table, row);
    const known = newest.get(key);
    if (known === undefined || versionOf(row) >= versionOf(known)) newest.set(key, row);
  }
  return [...newest.values()];
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  ledger: ['customerId', 'index'],
  signals: ['customerId', 'createdAt', 'auditId'],
  entries: ['customerId', 'index'],
  audits: ['customerId', 'acceptedAt', 'auditId'],
  positions: ['epoch', 'topic', 'partition'],
  correlations: ['customerId', 'id'],
  correlation_snapshots: ['customerId'],
};
const keyOf = ({ name }: AnyTable, row: Row): string =>
  (KEYS[name] ?? Object.keys(row)).map((column) => row[column]).join(' ');
const versionOf = (row: Row): bigint =>
  BigInt(String(VERSIONS.map((name) => row[name]).find((one) => one !== undefined) ?? 0));

function rowCases(world: World, kept: KeptTables, table: AnyTable, rows: readonly Row[]): Case[] {
  const served = servedRows(table, rows).filter(
    ({ customerId }) => customerId === undefined || customerId === world.customerId,
  );
  const sorts = groupBy(served, (row) =>
    SORTS.map((name) => row[name])
      .filter(Boolean)
      .join(' '),
  );
  const cases: Case[] = [];
  for (const [sort, some] of sorts) {
    const row = rowsToChange(world, some, columnNames(table)[0]!)[0]?.[0];
    const ofKey = rows.filter((one) => keyOf(table, one) === keyOf(table, row!));
    const what = sort === '' ? 'row' : `row ${sort}`;
    const undo = () => kept.undo(table);
    const all = ofKey.map(({ rowHash }) => rowHash);
    cases.push(
      caseOf(
        world,
        table,
        { parts: [{ what, index: null }], change: 'removed' },
        () => kept.remove(table, all),
        undo,
      ),
    );
    const older = ofKey.filter((one) => versionOf(one) < versionOf(row!));
    if (older.length === 0) continue;
    const newest = ofKey.filter((one) => versionOf(one) === versionOf(row!)).map(({ rowHash }) => rowHash);
    cases.push(
      caseOf(
        world,
        table,
        { parts: [{ what, index: null }], change: 'older' },
        () => kept.remove(table, newest),
        undo,
      ),
    );
  }
  const swap = () => kept.swapOlder(table);
  cases.push(caseOf(world, table, { parts: [{ what: 'table', index: null }], change: 'older' }, swap, swap));
  return cases;
}
