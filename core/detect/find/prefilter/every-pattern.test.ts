import { execFileSync } from 'node:child_process';
import { expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { loosenedReader } from './compile.ts';

/** Patterns are compiled on first use, so this test compiles all of them before production does. */

test('every detector pattern has a reader, and bounded matches if it is prefiltered at an offset', () => {
  const program = compiledModule('core/detect/find/prefilter/testing/every-pattern.ts');
  const { read, prefiltered, faults } = JSON.parse(
    execFileSync(process.execPath, [program], { encoding: 'utf8' }),
  );
  expect(faults).toEqual([]);
  expect(read).toBeGreaterThan(100);
  expect(prefiltered).toBeGreaterThan(50);
});

test('a pattern with a back-reference has no reader', () => {
  expect(loosenedReader(/(a)\1/, true)).toThrow('references to groups');
});
