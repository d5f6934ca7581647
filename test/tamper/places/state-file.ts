import { open } from 'lmdb';
import { jsonIn, textOf } from '#platform/state/document-text.ts';

/** Writes to the state's file like an attacker who knows its format and checksums. */

const OPTIONS = { noSubdir: true, maxDbs: 32, encoding: 'string' } as const;

/** A row of one of the file's tables; `text` is JSON. */
export interface StateRow {
  readonly table: string;
  readonly key: string;
  readonly text: string;
  /** Whether a checksum precedes the JSON in the file. */
  readonly isChecked: boolean;
}

const rowOf = (table: string, key: string, stored: string): StateRow => {
  try {
    const text = jsonIn(`${table}/${key}`, stored);
    return { table, key, text, isChecked: text !== stored };
  } catch {
    return { table, key, text: stored, isChecked: false };
  }
};

async function inside<Result>(
  file: string,
  work: (table: (name: string) => ReturnType<typeof openTable>, names: string[]) => Promise<Result>,
): Promise<Result> {
  const root = open<string, string>({ path: file, ...OPTIONS });
  try {
    return await work((name) => openTable(root, name), [...root.getKeys()].map(String));
  } finally {
    await root.close();
  }
}

const openTable = (root: ReturnType<typeof open<string, string>>, name: string) =>
  root.openDB<string, string>({ name, encoding: 'string' });

export const stateRows = (file: string): Promise<StateRow[]> =>
  inside(file, async (table, names) =>
    names.flatMap((name) =>
      [...table(name).getRange({})].map(({ key, value }) => rowOf(name, String(key), value)),
    ),
  );

/** With `text` null, removes the row. */
export const writeRow = (
  file: string,
  { table, key, isChecked }: StateRow,
  text: string | null,
): Promise<void> =>
  inside(file, async (of) => {
    const rows = of(table);
    if (text === null) await rows.remove(key);
    else await rows.put(key, isChecked ? textOf(`${table}/${key}`, text) : text);
  });
