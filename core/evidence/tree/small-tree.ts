import { nodeHash } from './node-hash.ts';

/** RFC 6962 trees that are built at once and in memory: a node without a sibling moves up a level unchanged. */

interface Tree {
  readonly root: Buffer;
  /** Per leaf, its inclusion path: the siblings on the way to the root, the lowest first. */
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
      return right === undefined ? level[left]! : nodeHash(level[left]!, right);
    });
  }
  const [root] = nodes;
  if (root === undefined) throw new Error('a tree needs at least one leaf');
  return { root, paths };
}
