import { execFileSync } from 'node:child_process';
import { expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { loosenedReader } from './compile.ts';

/** Patterns are compiled on first use: what must hold of each is tried here, before anybody uses one. */

test('every pattern of a detector can have a reader, and a limit where matches are read to their end', () => {
  const program = compiledModule('core/detect/find/prefilter/testing/every-pattern.ts');
  const { read, prefiltered, faults } = JSON.parse(
    execFileSync(process.execPath, [program], { encoding: 'utf8' }),
  );
  expect(faults).toEqual([]);
  expect(read).toBeGreaterThan(100);
  expect(prefiltered).toBeGreaterThan(50);
});

test('a pattern with a back-reference can have none', () => {
  expect(loosenedReader(/(a)\1/, true)).toThrow('references to groups');
});
