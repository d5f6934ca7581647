import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { listing, PROGRAMS, programOf } from './programs.ts';

test('each benchmark has a program and a line in the list', () => {
  const files = readdirSync(path.join(packageRoot(), 'bench'));
  const [, ...lines] = listing().split('\n');
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(Object.keys(PROGRAMS));
  for (const name of Object.keys(PROGRAMS)) expect(files).toContain(`${name}.ts`);
});

test('a name that is none is refused with the list of those that are', () => {
  expect(() => programOf('toString')).toThrow('no benchmark is called "toString"');
  expect(() => programOf('kafka')).toThrow(listing());
});
