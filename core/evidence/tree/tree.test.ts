import { hash } from 'node:crypto';
import { describe, expect, test } from '#jest';
import { EMPTY_FRONTIER, type Frontier, rootOf, type Subtree, withLeaf } from './frontier.ts';
import { EMPTY_ROOT } from './node-hash.ts';
import { consistencyRanges, inclusionRanges, type LeafRange } from './ranges.ts';
import { isConsistent, rootFromInclusion } from './verify-proofs.ts';

/** The definition in RFC 6962, section 2.1, word for word: slow, and shares no code with what is tested. */
function definition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash('sha256', '', 'buffer');
  if (leaves.length === 1) return leaves[0]!;
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1));
  const halves = [definition(leaves.slice(0, k)), definition(leaves.slice(k))];
  return hash('sha256', Buffer.concat([Buffer.of(1), ...halves]), 'buffer');
}

const leafOf = (data: Buffer): Buffer => hash('sha256', Buffer.concat([Buffer.of(0), data]), 'buffer');
const leaves = Array.from({ length: 257 }, (_, i) => leafOf(Buffer.from(`leaf ${i}`)));
const roots = Array.from({ length: 258 }, (_, size) => definition(leaves.slice(0, size)));
const known = new Map<string, Buffer>();
function hashOf({ from, to }: LeafRange): Buffer {
  const index = `${from}:${to}`;
  const hashed = known.get(index) ?? definition(leaves.slice(from, to));
  known.set(index, hashed);
  return hashed;
}

function frontierOf(all: readonly Buffer[], onSubtree?: (subtree: Subtree) => void): Frontier {
  let frontier = EMPTY_FRONTIER;
  for (const leaf of all) frontier = withLeaf(frontier, leaf, onSubtree);
  return frontier;
}

/** The same bytes with one bit flipped. */
const turned = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
};

test('the leaves of RFC 6962 have the roots of its reference implementation', () => {
  const data = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ];
  const frontier = frontierOf(data.map((hex) => leafOf(Buffer.from(hex, 'hex'))));
  expect(rootOf(frontier).toString('hex')).toBe(
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  );
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(rootOf(EMPTY_FRONTIER)).toEqual(EMPTY_ROOT);
});

describe('growing', () => {
  test('a frontier has the root of the definition at each size', () => {
    let frontier = EMPTY_FRONTIER;
    for (const [index, leaf] of leaves.entries()) {
      frontier = withLeaf(frontier, leaf);
      expect(rootOf(frontier)).toEqual(roots[index + 1]);
    }
  });

  test('each complete subtree is reported once, with its root', () => {
    const reported = new Map<string, Buffer>();
    frontierOf(leaves, ({ height, index, hash: root }) => {
      expect(reported.has(`${height}:${index}`)).toBe(false);
      reported.set(`${height}:${index}`, root);
    });
    expect(reported.size).toBe(255);
    for (const [position, root] of reported) {
      const [height, index] = position.split(':').map(Number) as [number, number];
      expect(root).toEqual(hashOf({ from: index * 2 ** height, to: (index + 1) * 2 ** height }));
    }
  });

  test('a frontier with a wrong number of hashes is rejected', () => {
    expect(() => withLeaf({ size: 3, hashes: [leaves[0]!] }, leaves[1]!)).toThrow('3 leaves cannot have 1');
  });
});

describe('inclusion', () => {
  test('every leaf of every tree up to 256 leaves is proved', () => {
    for (let size = 1; size <= 256; size += 1)
      for (let index = 0; index < size; index += 1) {
        const proof = inclusionRanges(index, size).map(hashOf);
        // Runs 33,000 times: a jest assertion would take a hundred times as long as the proof.
        const root = rootFromInclusion(leaves[index]!, index, size, proof);
        if (!root?.equals(roots[size]!)) throw new Error(`${index}/${size} is not proved`);
      }
  });

  test('a flipped bit anywhere on the path of any leaf of any tree up to 256 leaves changes the root', () => {
    let bit = 0;
    for (let size = 1; size <= 256; size += 1)
      for (let index = 0; index < size; index += 1) {
        const proof = inclusionRanges(index, size).map(hashOf);
        for (const [position, one] of proof.entries()) {
          // Flips one bit of each hash; over all hashes, every bit is flipped many times.
          bit = (bit + 1) % 256;
          const root = rootFromInclusion(leaves[index]!, index, size, proof.with(position, turned(one, bit)));
          if (root?.equals(roots[size]!)) throw new Error(`bit ${bit} of ${position} of ${index}/${size}`);
        }
      }
  });

  test('any flipped bit, and any missing or extra hash, changes the root', () => {
    for (const [index, size] of [
      [0, 1],
      [0, 2],
      [3, 7],
      [6, 7],
      [100, 200],
      [255, 256],
      [256, 257],
    ] as const) {
      const proof = inclusionRanges(index, size).map(hashOf);
      const leads = (leaf: Buffer, hashes: readonly Buffer[]): boolean =>
        rootFromInclusion(leaf, index, size, hashes)?.equals(roots[size]!) === true;
      expect(leads(leaves[index]!, proof)).toBe(true);
      for (let bit = 0; bit < 256; bit += 1) {
        const turnedAt = proof.filter((one, position) =>
          leads(leaves[index]!, proof.with(position, turned(one, bit))),
        );
        expect(turnedAt).toEqual([]);
        expect(leads(turned(leaves[index]!, bit), proof)).toBe(false);
      }
      expect(rootFromInclusion(leaves[index]!, index, size, [...proof, leaves[1]!])).toBeNull();
      if (proof.length > 0) expect(rootFromInclusion(leaves[index]!, index, size, proof.slice(1))).toBeNull();
    }
  });

  test('a leaf is not proved at another index', () => {
    const proof = inclusionRanges(5, 8).map(hashOf);
    for (const index of [0, 1, 2, 3, 4, 6, 7, 8, -1, 5.5, Number.NaN])
      expect(rootFromInclusion(leaves[5]!, index, 8, proof)).not.toEqual(roots[8]);
  });

  test('indexes outside the tree are rejected', () => {
    for (const [index, size] of [
      [0, 0],
      [1, 1],
      [-1, 4],
      [0.5, 4],
      [0, Number.POSITIVE_INFINITY],
    ] as const)
      expect(() => inclusionRanges(index, size)).toThrow(RangeError);
  });
});

describe('consistency', () => {
  test('every pair of sizes up to 256 is proved', () => {
    for (let to = 0; to <= 256; to += 1)
      for (let from = 0; from <= to; from += 1) {
        const proof = consistencyRanges(from, to).map(hashOf);
        // Also runs 33,000 times.
        if (!isConsistent({ size: from, root: roots[from]! }, { size: to, root: roots[to]! }, proof))
          throw new Error(`${from} of ${to} is not proved`);
      }
  });

  test('any flipped bit, another root, and any missing or extra hash are rejected', () => {
    for (const [from, to] of [
      [1, 2],
      [3, 7],
      [4, 7],
      [6, 8],
      [100, 200],
      [128, 256],
      [255, 257],
    ] as const) {
      const proof = consistencyRanges(from, to).map(hashOf);
      const [older, newer] = [
        { size: from, root: roots[from]! },
        { size: to, root: roots[to]! },
      ];
      for (const [index, one] of proof.entries())
        for (let bit = 0; bit < 256; bit += 1)
          expect(isConsistent(older, newer, proof.with(index, turned(one, bit)))).toBe(false);
      for (let bit = 0; bit < 256; bit += 1) {
        expect(isConsistent({ size: from, root: turned(older.root, bit) }, newer, proof)).toBe(false);
        expect(isConsistent(older, { size: to, root: turned(newer.root, bit) }, proof)).toBe(false);
      }
      expect(isConsistent(older, newer, [...proof, leaves[0]!])).toBe(false);
      expect(isConsistent(older, newer, proof.slice(1))).toBe(false);
    }
  });

  test('a rewritten tree does not extend the older one', () => {
    const rewritten = leaves.with(2, leaves[3]!);
    const proof = consistencyRanges(5, 9).map(({ from, to }) => definition(rewritten.slice(from, to)));
    const newer = { size: 9, root: definition(rewritten.slice(0, 9)) };
    expect(isConsistent({ size: 5, root: definition(rewritten.slice(0, 5)) }, newer, proof)).toBe(true);
    expect(isConsistent({ size: 5, root: roots[5]! }, newer, proof)).toBe(false);
  });

  test('equal sizes need equal roots, and nothing is consistent with a smaller tree', () => {
    expect(isConsistent({ size: 4, root: roots[4]! }, { size: 4, root: roots[4]! }, [])).toBe(true);
    expect(isConsistent({ size: 4, root: roots[4]! }, { size: 4, root: roots[5]! }, [])).toBe(false);
    expect(isConsistent({ size: 5, root: roots[5]! }, { size: 4, root: roots[4]! }, [])).toBe(false);
    expect(() => consistencyRanges(5, 4)).toThrow(RangeError);
  });
});
