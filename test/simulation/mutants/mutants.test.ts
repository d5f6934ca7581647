import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { type Mutant, matchesOf } from './mutant.ts';

const CASES = path.join(packageRoot(), 'test/simulation/mutants/cases');

// `npm run test:simulation -- --mutants`, which takes minutes, tests whether each is found.
test.each(readdirSync(CASES))('%s still applies to its sources', async (file) => {
  const { mutant } = (await import(`./cases/${file}`)) as { mutant: Mutant };
  for (const change of mutant.changes) {
    const text = readFileSync(path.join(packageRoot(), change.file), 'utf8');
    expect({ file: change.file, matches: matchesOf(text, change.find) }).toEqual({
      file: change.file,
      matches: 1,
    });
  }
});
