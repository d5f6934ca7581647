import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { treeLeafHash } from '../hashing.ts';
import { treeOf } from './small-tree.ts';
import { rootFromInclusion } from './verify-proofs.ts';

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const leaves = (size: number): Buffer[] => Array.from({ length: size }, (_, at) => sha256(Buffer.from([at])));

/** The definition itself: the left subtree has the largest power of two of leaves below the total. */
function rootByDefinition(nodes: readonly Buffer[]): Buffer {
  if (nodes.length === 1) return nodes[0]!;
  let left = 1;
  while (left * 2 < nodes.length) left *= 2;
  return sha256(
    Buffer.from([1]),
    rootByDefinition(nodes.slice(0, left)),
    rootByDefinition(nodes.slice(left)),
  );
}

test('the root matches the definition, and every path leads to it', () => {
  for (let size = 1; size <= 70; size += 1) {
    const { root, paths } = treeOf(leaves(size));
    expect(root).toEqual(rootByDefinition(leaves(size)));
    leaves(size).forEach((leaf, at) => {
      expect(rootFromInclusion(leaf, at, size, paths[at]!)).toEqual(root);
    });
  }
});

test('the tree matches the reference tests of Certificate Transparency', () => {
  const contents = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].concat(
    '606162636465666768696a6b6c6d6e6f',
  );
  const { root } = treeOf(contents.map((hex) => treeLeafHash(Buffer.from(hex, 'hex').toString('latin1'))));
  expect(root.toString('hex')).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
});

test('a tree without leaves is rejected', () =>
  expect(() => treeOf([])).toThrow('a tree needs at least one leaf'));
