import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { triplet } from './audits.ts';

test('every example of the demo is a triplet that the API takes', () => {
  const lines = readFileSync(new URL('../../examples/triplets.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(200);
  const refused = lines.filter((line) => !triplet.safeParse(JSON.parse(line)).success);
  expect(refused).toEqual([]);
});
