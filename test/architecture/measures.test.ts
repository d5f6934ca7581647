import { describe, expect, test } from '#jest';
import { folderCircles, importsWithin } from './measures.ts';
import type { Module } from './modules.ts';

/** A file with imports, reduced to what the graph of folders needs. */
const importing = (file: string, ...from: string[]): Module => ({
  file,
  text: '',
  lines: 0,
  isTest: file.endsWith('.test.ts'),
  imports: from.map((name) => ({ from: name, names: ['x'], ups: 0 })),
  exports: [],
  functions: [],
});

describe('import cycles of folders', () => {
  test('two folders whose files import each other form a cycle even if no files do', () => {
    const modules = [
      importing('read/text.ts'),
      importing('read/decode.ts', 'find/term.ts'),
      importing('find/term.ts'),
      importing('find/search.ts', 'read/text.ts'),
      importing('report/tell.ts', 'find/search.ts', 'read/text.ts'),
    ];
    expect(folderCircles(modules)).toEqual([['find', 'read']]);
    expect(importsWithin(['find', 'read'], modules)).toEqual([
      'read/decode.ts -> find/term.ts',
      'find/search.ts -> read/text.ts',
    ]);
  });

  test('a cycle over many folders counts once, and the largest cycle comes first', () => {
    expect(
      folderCircles([
        importing('a/1.ts', 'b/1.ts'),
        importing('b/1.ts', 'a/2.ts'),
        importing('a/2.ts'),
        importing('x/1.ts', 'y/1.ts', 'a/1.ts'),
        importing('y/1.ts', 'z/1.ts'),
        importing('z/1.ts', 'x/2.ts'),
        importing('x/2.ts'),
      ]),
    ).toEqual([
      ['x', 'y', 'z'],
      ['a', 'b'],
    ]);
  });

  test('a parent and child that import each other form a cycle; a parent that only imports does not', () => {
    const child = importing('core/find/search.ts', 'core/detector.ts');
    const parent = importing('core/detect.ts', 'core/find/search.ts');
    expect(folderCircles([parent, importing('core/detector.ts'), child])).toEqual([['core', 'core/find']]);
    expect(folderCircles([parent, importing('core/find/search.ts')])).toEqual([]);
  });

  test('tests, packages and imports within a folder form no cycle', () => {
    expect(
      folderCircles([
        importing('a/1.ts', 'b/1.ts', 'a/2.ts', 'zod'),
        importing('a/2.ts', 'a/1.ts'),
        importing('b/1.ts', 'zod'),
        importing('b/1.test.ts', 'a/1.ts'),
      ]),
    ).toEqual([]);
  });
});
