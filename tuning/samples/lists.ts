import { readFileSync } from 'node:fs';

/** Lists by name. */
export type Lists = Readonly<Record<string, readonly string[]>>;

const HEAD = /^\[([\w.-]+)\]$/;
const ESCAPE = /\\(.?)/g;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', '\\': '\\', '#': '#', '[': '[' };

/**
 * Parses lists: a line `[name]`, then one entry per line. In an entry `\n` is a line break and `\\` a backslash; one
 * that starts with `#` or `[` is written `\#` or `\[`. Lines that start with `#` are comments.
 */
export function parseLists(text: string, file: string): Lists {
  const lists = new Map<string, string[]>();
  let list: string[] | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const fault = (what: string): Error => new Error(`${file}:${index + 1}: ${what}`);
    if (line.trim() === '' || line.startsWith('#')) continue;
    const name = HEAD.exec(line)?.[1];
    if (name !== undefined) {
      if (lists.has(name)) throw fault(`a second list [${name}]`);
      list = [];
      lists.set(name, list);
    } else if (list === undefined) throw fault('an entry before the first [list]');
    else
      list.push(
        line.replaceAll(ESCAPE, (written, sign: string) => {
          const plain = ESCAPED[sign];
          if (plain === undefined) throw fault(`unknown escape ${written}: write \\\\ for a backslash`);
          return plain;
        }),
      );
  }
  return Object.fromEntries(lists);
}

/** The lists of a data file, by its path in `tuning`. Must run in the project's root. */
export function readLists(file: string): Lists {
  const path = `tuning/${file}`;
  return parseLists(readFileSync(path, 'utf8'), path);
}

/** Like `readLists`, for a file that contains exactly these lists. */
export function readListsOf<Name extends string>(
  file: string,
  ...names: readonly Name[]
): Readonly<Record<Name, readonly string[]>> {
  const lists = readLists(file);
  const found = Object.keys(lists);
  if (found.toSorted().join() !== names.toSorted().join())
    throw new Error(`tuning/${file} has the lists ${found.join(', ')}, but ${names.join(', ')} are read`);
  return lists as Readonly<Record<Name, readonly string[]>>;
}
