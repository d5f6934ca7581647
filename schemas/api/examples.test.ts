import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { triplet } from './audits.ts';

test('every example of the demo is a triplet that the API accepts', () => {
  const lines = readFileSync(path.join(packageRoot(), 'examples/triplets.ndjson'), 'utf8').trim().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(200);
  const refused = lines.filter((line) => !triplet.safeParse(JSON.parse(line)).success);
  expect(refused).toEqual([]);
});
