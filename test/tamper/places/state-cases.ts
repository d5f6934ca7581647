import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import { groupBy } from '#schemas/group-by.ts';
import { placeOfCollection, STATE_TABLES } from '../world/reads.ts';
import type { World } from '../world/world.ts';
import { byStory } from './by-story.ts';
import type { Case } from './case.ts';
import { type LeafPath, leafAt, leavesOf, otherValue, withLeaf } from './other-value.ts';
import { type StateRow, stateRows, writeRow } from './state-file.ts';

const DOCUMENTS = 'documents';
const SEPARATOR = '\u001f';
/** Field names that are ids, hashes, times or numbers rather than names from the contract. */
const OWN_NAME = /^[0-9a-f]{8}-|^[0-9a-f]{12,}$|^\d+$|^\d{4}-\d\d/;

interface KnownRow extends StateRow {
  readonly collection: string;
  readonly value: unknown;
  /** Path to the value inside the parsed text. */
  readonly inside: LeafPath;
}

/**
 * Changes of the state: each field of each collection changed or removed, documents removed or restored to an older
 * version.
 */
export async function stateCases(world: World): Promise<Case[]> {
  const rows: KnownRow[] = [];
  await world.state.restore(async (file) => {
    rows.push(...(await stateRows(file)).map(known));
  });
  rows.sort((one, other) => byStory([one.key, one.value], [other.key, other.value]));
  const collections = groupBy(rows, ({ collection }) => collection);
  return [...collections].flatMap(([collection, some]) => [
    ...fieldCases(world, collection, some),
    ...documentCases(world, collection, some),
  ]);
}

function known(row: StateRow): KnownRow {
  const parsed = JSON.parse(row.text) as unknown;
  const isDocument = row.table === DOCUMENTS;
  const [scope, collection, id] = row.key.split(SEPARATOR);
  const inside = isDocument ? ['value'] : [];
  const isNamed = scope === SYSTEM_SCOPE && !OWN_NAME.test(id!);
  const name = isDocument ? (isNamed ? `${collection} ${id}` : collection!) : `table ${row.table}`;
  return { ...row, collection: name, value: leafAt(parsed, inside), inside };
}

const patternOf = (path: LeafPath): string =>
  path
    .map((name) => (typeof name === 'number' ? '[]' : OWN_NAME.test(name) ? '*' : name))
    .join('.')
    .replaceAll('.[]', '[]');

interface Leaf {
  readonly row: KnownRow;
  readonly path: LeafPath;
  readonly value: unknown;
}

function fieldCases(world: World, collection: string, rows: readonly KnownRow[]): Case[] {
  const all = preferred(world, rows).flatMap((row) =>
    leavesOf(row.value).map((path): Leaf => ({ row, path, value: leafAt(row.value, path) })),
  );
  return [...groupBy(all, ({ path }) => patternOf(path))].map(([field, leaves]) => {
    const leaf = leaves.find(({ value }) => value !== null) ?? leaves[0]!;
    const others = leaves.map(({ value }) => value);
    const change = (): string => written(leaf, otherValue(leaf.value, others));
    const what = field === '' ? 'value' : field;
    return caseOf({ collection, what, change: 'changed' }, leaf.row, change);
  });
}

const written = ({ row, path }: Leaf, value: unknown): string =>
  JSON.stringify(withLeaf(JSON.parse(row.text), [...row.inside, ...path], () => value));

/** Rows of preferred records: those that the requests read. */
function preferred({ ids }: World, rows: readonly KnownRow[]): KnownRow[] {
  const asked = Object.values(ids);
  const isAsked = ({ key, text }: KnownRow): boolean =>
    asked.some((id) => key.includes(id) || text.includes(id));
  return [...rows.filter(isAsked), ...rows.filter((row) => !isAsked(row))];
}

function documentCases(world: World, collection: string, rows: readonly KnownRow[]): Case[] {
  const [row] = preferred(world, rows);
  const removed = caseOf({ collection, what: 'document', change: 'removed' }, row!, () => null);
  const older = rows.find(({ key }) => world.state.earlier.has(key));
  if (older === undefined || older.table !== DOCUMENTS) return [removed];
  const text = JSON.stringify(world.state.earlier.get(older.key));
  return [removed, caseOf({ collection, what: 'document', change: 'older' }, older, () => text)];
}

function caseOf(
  { collection, what, change }: Pick<Case, 'change'> & { readonly collection: string; readonly what: string },
  row: KnownRow,
  text: () => string | null,
): Case {
  return {
    place: placeOfCollection(collection),
    readAs: row.table === DOCUMENTS ? placeOfCollection(collection.split(' ')[0]!) : STATE_TABLES,
    parts: [{ what, index: null }],
    change,
    changeState: (file) => writeRow(file, row, text()),
  };
}
