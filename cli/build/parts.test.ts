import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';

interface Part {
  readonly name: string;
  readonly output: string;
}
interface Parts {
  stalePartsOf(root: string): Part[];
  mark(root: string, part: Part): void;
  unmark(root: string, part: Part): void;
}
// Plain JavaScript, which is not compiled.
const parts = (await import(
  pathToFileURL(path.join(packageRoot(), 'cli/build/parts.mjs')).href
)) as unknown as Parts;

let root: string;
const put = (file: string, text = file): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const stale = (): string[] => parts.stalePartsOf(root).map(({ name }) => name);

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'cas-parts-'));
  for (const file of ['cli/main.ts', 'cli/build/main.ts', 'app/start.ts', 'core/detect/list.json']) put(file);
  for (const file of ['web/src/main.tsx', 'page/browser/main.ts', 'package.json', 'package-lock.json'])
    put(file);
  for (const part of parts.stalePartsOf(root)) {
    put(`dist/${part.output}`);
    parts.mark(root, part);
  }
});
afterEach(() => rmSync(root, { recursive: true }));

describe('a part is built again', () => {
  test('when one of its sources changes, even with the same size and time', () => {
    expect(stale()).toEqual([]);
    const at = new Date(1_000_000);
    utimesSync(path.join(root, 'app/start.ts'), at, at);
    expect(stale()).toEqual([]);
    put('app/start.ts', readFileSync(path.join(root, 'app/start.ts'), 'utf8').replace('a', 'b'));
    utimesSync(path.join(root, 'app/start.ts'), at, at);
    expect(stale()).toEqual(['programs']);
  });

  test('when a source is added, renamed or deleted', () => {
    put('web/src/page.tsx');
    expect(stale()).toEqual(['web']);
    rmSync(path.join(root, 'web/src/page.tsx'));
    expect(stale()).toEqual([]);
    rmSync(path.join(root, 'app/start.ts'));
    expect(stale()).toEqual(['programs']);
    put('app/begin.ts', 'app/start.ts');
    expect(stale()).toEqual(['programs']);
  });

  test.each(['package-lock.json', 'package.json', 'cli/build/main.ts'])(
    'all of them when %s changes',
    (file) => {
      put(file, 'changed');
      expect(stale()).toEqual(['programs', 'page', 'web']);
    },
  );

  test('when its output is gone, or its last build did not complete', () => {
    rmSync(path.join(root, 'dist/page/verify.html'));
    expect(stale()).toEqual(['page']);
    parts.unmark(root, { name: 'web', output: '' });
    expect(stale()).toEqual(['page', 'web']);
  });

  test('not when a test or a page of documentation changes, or a package is installed', () => {
    put('app/start.test.ts');
    put('web/README.md');
    put('web/node_modules/left-pad/index.js');
    expect(stale()).toEqual([]);
  });
});
