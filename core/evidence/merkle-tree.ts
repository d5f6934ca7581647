import { treeNodeHash } from './hashing.ts';

/** Merkle trees as RFC 6962, section 2.1, defines them: a node without a partner moves up a level as it is. */

interface Tree {
  readonly root: Buffer;
  /** Per leaf, its inclusion path: the partners on the way to the root, the lowest first. */
  readonly paths: readonly (readonly Buffer[])[];
}

/** `leaves`: at least one leaf hash. */
export function treeOf(leaves: readonly Buffer[]): Tree {
  const paths = leaves.map((): Buffer[] => []);
  let nodes = leaves;
  for (let height = 0; nodes.length > 1; height += 1) {
    for (const [leaf, path] of paths.entries()) {
      const partner = nodes[(leaf >> height) ^ 1];
      if (partner !== undefined) path.push(partner);
    }
    const level = nodes;
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, pair) => pair * 2);
    nodes = pairs.map((left) => {
      const right = level[left + 1];
      return right === undefined ? level[left]! : treeNodeHash(level[left]!, right);
    });
  }
  const [root] = nodes;
  if (root === undefined) throw new Error('a tree needs a leaf');
  return { root, paths };
}

/** The root that a leaf's inclusion path leads to; null when the path cannot be that of this leaf in such a tree. */
export function rootOf(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer | null {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  let node = leaf;
  let used = 0;
  for (let [at, last] = [index, size - 1]; last > 0; at = Math.floor(at / 2), last = Math.floor(last / 2)) {
    const isRight = at % 2 === 1;
    if (!isRight && at === last) continue;
    const partner = path[used++];
    if (partner === undefined) return null;
    node = isRight ? treeNodeHash(partner, node) : treeNodeHash(node, partner);
  }
  return used === path.length ? node : null;
}
