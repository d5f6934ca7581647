import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { type Mutant, placesOf } from './mutant.ts';

const CASES = path.join(packageRoot(), 'test/simulation/mutants/cases');

// Whether each is found is tested by `npm run test:simulation -- --mutants`, which takes minutes.
test.each(readdirSync(CASES))('%s still fits the sources that it changes', async (file) => {
  const { mutant } = (await import(`./cases/${file}`)) as { mutant: Mutant };
  for (const change of mutant.changes) {
    const text = readFileSync(path.join(packageRoot(), change.file), 'utf8');
    expect({ file: change.file, places: placesOf(text, change.find) }).toEqual({
      file: change.file,
      places: 1,
    });
  }
});
