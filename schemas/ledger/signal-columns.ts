import { type Columns, KEPT } from './columns.ts';
import { SIGNAL_V1 } from './signal.v1.ts';
import { SIGNAL_V2 } from './signal.v2.ts';
import { SIGNAL_V3 } from './signal.v3.ts';
import { SIGNAL_V4 } from './signal.v4.ts';

const VERSIONS = [SIGNAL_V1, SIGNAL_V2, SIGNAL_V3, SIGNAL_V4];

/** The fields of all versions of a SIGNAL as columns: later versions only add fields. */
const [newest] = SIGNAL_V4.shapes;
export const SIGNAL_CORE = newest.core;
export const SIGNAL_DETAIL = newest.detail;

for (const { v, shapes } of VERSIONS) {
  const [{ core, detail }] = shapes;
  const isKept = (own: Columns, all: Columns) =>
    Object.entries(own).every(([name, one]) => all[name] === one);
  if (!isKept(core, SIGNAL_CORE) || !isKept(detail, SIGNAL_DETAIL))
    throw new Error(`a column of SIGNAL version ${v} differs from the newest version`);
}

interface VersionColumns {
  readonly core: readonly string[];
  readonly detail: readonly string[];
}

const FILLED: Readonly<Record<number, VersionColumns>> = Object.fromEntries(
  VERSIONS.map(({ v, shapes: [{ core, detail }] }) => [
    v,
    { core: Object.keys(core), detail: Object.keys(detail) },
  ]),
);

/**
 * The columns that entries of a version fill; their rows' other columns are blank. For a version known only to a newer
 * release, whose sink may run alongside this release's readers: the columns that this release knows.
 */
export const columnsOfSignal = (v: number): VersionColumns => FILLED[v] ?? FILLED[SIGNAL_V4.v]!;

const isJson = ({ storedAs }: Columns[string]): boolean => storedAs === 'JSON';
/** Columns of the detail that hold their values as canonical JSON. The core has none. */
export const JSON_COLUMNS: readonly string[] = namesOf(SIGNAL_DETAIL, isJson);
if (namesOf(SIGNAL_CORE, isJson).length > 0) throw new Error('a core column must not be stored as JSON');

/** Values in rows whose core, or detail, was erased. */
export const BLANK_CORE = blanksOf(SIGNAL_CORE);
export const BLANK_DETAIL = blanksOf(SIGNAL_DETAIL);

function namesOf(columns: Columns, isMeant: (column: Columns[string]) => boolean): string[] {
  return Object.entries(columns).flatMap(([name, column]) => (isMeant(column) ? [name] : []));
}

function blanksOf(columns: Columns): Readonly<Record<string, unknown>> {
  const names = namesOf(columns, ({ blank }) => blank !== KEPT);
  return Object.fromEntries(
    names.map((name) => {
      const { blank, storedAs } = columns[name]!;
      return [name, storedAs === 'JSON' ? JSON.stringify(blank) : blank];
    }),
  );
}
