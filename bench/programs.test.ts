import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { listing, PROGRAMS, programOf } from './programs.ts';

test('lists every benchmark and has a program for it', () => {
  const files = readdirSync(path.join(packageRoot(), 'bench'));
  const [, ...lines] = listing().split('\n');
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(Object.keys(PROGRAMS));
  for (const name of Object.keys(PROGRAMS)) expect(files).toContain(`${name}.ts`);
});

test('rejects an unknown name and lists the known ones', () => {
  expect(() => programOf('toString')).toThrow('no benchmark is called "toString"');
  expect(() => programOf('kafka')).toThrow(listing());
});
