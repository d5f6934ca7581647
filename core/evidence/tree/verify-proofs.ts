import { nodeHash } from './node-hash.ts';

/**
 * Verifies proofs as in RFC 9162, sections 2.1.3.2 and 2.1.4.2. Walks up by the bits of index and size and shares
 * nothing with `ranges.ts`, which makes proofs, except the hash of a node.
 */
const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Root to which the proof leads from `leaf` at `index`; null: too few or too many hashes. */
export function rootFromInclusion(
  leaf: Buffer,
  index: number,
  size: number,
  hashes: readonly Buffer[],
): Buffer | null {
  if (!isSize(index) || !isSize(size) || index >= size) return null;
  let [node, last, root] = [index, size - 1, leaf];
  for (const sibling of hashes) {
    if (last === 0) return null;
    if (isOdd(node) || node === last) {
      root = nodeHash(sibling, root);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else root = nodeHash(root, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : null;
}

/** Whether the proof shows that the tree of `toSize` leaves extends that of `fromSize` leaves. */
export function isConsistent(
  from: { readonly size: number; readonly root: Buffer },
  to: { readonly size: number; readonly root: Buffer },
  hashes: readonly Buffer[],
): boolean {
  if (!isSize(from.size) || !isSize(to.size) || from.size > to.size) return false;
  if (from.size === to.size) return hashes.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return hashes.length === 0;
  let [node, last] = [from.size - 1, to.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // If the smaller tree is a complete subtree of the larger one, the proof starts from its root.
  const [first, ...rest] = node === 0 ? [from.root, ...hashes] : hashes;
  if (first === undefined) return false;
  let [smaller, larger] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      smaller = nodeHash(sibling, smaller);
      larger = nodeHash(sibling, larger);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else larger = nodeHash(larger, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && smaller.equals(from.root) && larger.equals(to.root);
}
