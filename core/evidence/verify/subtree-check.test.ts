import { hash } from 'node:crypto';
import { expect, test } from '#jest';
import { completeRoot } from '../tree/stored-subtrees.ts';
import { createSubtreeCheck } from './subtree-check.ts';

const SIZE = 65_536 + 512;
const leaves = Array.from({ length: SIZE }, (_, index) => hash('sha256', `${index}`, 'buffer'));
const smalls = Array.from({ length: SIZE / 256 }, (_, index) =>
  completeRoot(leaves.slice(index * 256, (index + 1) * 256)),
);
const rows = [
  ...smalls.map((root, index) => ({ height: 8, index, hash: root.toString('hex') })),
  { height: 16, index: 0, hash: completeRoot(smalls.slice(0, 256)).toString('hex') },
];
const OTHER = '00'.repeat(32);

/** First entries of the subtrees that do not match; entries in `broken` are skipped. */
function mismatches(stored: typeof rows, { from = 0, broken = [] as number[] } = {}): number[] {
  const found: number[] = [];
  const check = createSubtreeCheck((index) => found.push(index));
  check.stored(stored);
  for (let index = from; index < SIZE; index += 1)
    if (broken.includes(index)) check.broken();
    else check.entry(index, leaves[index]!.toString('hex'));
  return found;
}

test('correct roots, and roots not stored yet, are not faults', () => {
  expect(mismatches(rows)).toEqual([]);
  expect(mismatches([])).toEqual([]);
  expect(mismatches(rows, { from: 300 })).toEqual([]);
});

test('a wrong small root, large root, or second row next to the correct one is reported at its first entry', () => {
  expect(mismatches(rows.with(3, { ...rows[3]!, hash: OTHER }))).toEqual([768]);
  expect(mismatches(rows.with(256, { ...rows[256]!, hash: OTHER }))).toEqual([65_536]);
  expect(mismatches(rows.with(-1, { ...rows.at(-1)!, hash: OTHER }))).toEqual([0]);
  expect(mismatches([...rows, { ...rows[5]!, hash: OTHER }])).toEqual([1_280]);
});

test('a subtree with a broken entry is not compared; adjacent ones are', () => {
  const wrong = rows.map((row) => (row.height === 8 && row.index < 3 ? { ...row, hash: OTHER } : row));
  expect(mismatches(wrong, { broken: [300] })).toEqual([0, 512]);
  expect(mismatches(wrong, { from: 1 })).toEqual([256, 512]);
});
