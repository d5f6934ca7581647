import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';

const FOLDER = path.join(packageRoot(), 'core/detect');
/** Keys that document a file's origin; no code reads them. */
const ABOUT = ['source', 'licence'];

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => path.join(parentPath, name));
const sources = files
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const data = files
  .filter((file) => path.basename(path.dirname(file)) === 'lists')
  .map((file) => ({ file, json: JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> }));

const IMPORT = /^import (\w+) from '([^']+\.json)' with \{ type: 'json' \};$/gm;
const COMMENT = /(?<=^\s*)(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

/** The keys that sources read from a data file: `making` for `words.making`, `*` if they use the whole file. */
function usesOf(file: string): string[] {
  return sources.flatMap(({ file: source, text }) =>
    [...text.matchAll(IMPORT)]
      .filter(([, , name]) => path.resolve(path.dirname(source), name!) === file)
      .flatMap(([, binding]) =>
        Array.from(
          text.replaceAll(COMMENT, '').matchAll(new RegExp(`\\b${binding}(?:\\.(\\w+)|(?=[;)]))`, 'g')),
          ([, key]) => key ?? '*',
        ),
      ),
  );
}

/** A file's lists, each with its name. */
function listsIn(value: unknown, name: string): [name: string, entries: readonly unknown[]][] {
  if (Array.isArray(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    ABOUT.includes(key) ? [] : listsIn(inner, `${name} ${key}`),
  );
}

test('finds the files with lists', () => expect(data.length).toBeGreaterThan(40));

test('every list is read', () => {
  const unread = data.flatMap(({ file, json }) => {
    const uses = usesOf(file);
    if (uses.includes('*')) return [];
    return Object.keys(json)
      .filter((key) => !ABOUT.includes(key) && !uses.includes(key))
      .map((key) => `${path.relative(FOLDER, file)} ${key}`);
  });
  expect(unread).toEqual([]);
});

test('lists are not empty and have no duplicate entries', () => {
  const lists = data.flatMap(({ file, json }) => listsIn(json, path.basename(file)));
  const faults = lists.flatMap(([name, entries]) => [
    ...(entries.length === 0 ? [`${name} is empty`] : []),
    ...entries
      .filter((entry, at) => entry === '' || entries.indexOf(entry) !== at)
      .map((entry) => `${name}: ${entry}`),
  ]);
  expect(faults).toEqual([]);
});
