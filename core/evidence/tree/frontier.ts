import { EMPTY_ROOT, nodeHash } from './node-hash.ts';

/** A complete subtree: `2 ** height` leaves, starting at leaf `index * 2 ** height`. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
  readonly hash: Buffer;
}

/**
 * What must be kept of the first `size` leaves so that a tree can grow: the roots of the complete subtrees that they
 * consist of, the largest first; one for each set bit of `size`.
 */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Buffer[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

const bitsSet = (size: number): number => {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
};

/** The frontier with one more leaf. Calls `onSubtree` for each subtree that the leaf completes, the smallest first. */
export function withLeaf(frontier: Frontier, leaf: Buffer, onSubtree?: (subtree: Subtree) => void): Frontier {
  const { size } = frontier;
  if (frontier.hashes.length !== bitsSet(size))
    throw new RangeError(`a frontier of ${size} leaves cannot have ${frontier.hashes.length} hashes`);
  const hashes = [...frontier.hashes];
  let [hash, index, height] = [leaf, size, 0];
  for (; index % 2 === 1; index = (index - 1) / 2) {
    hash = nodeHash(hashes.pop()!, hash);
    height += 1;
    onSubtree?.({ height, index: (index - 1) / 2, hash });
  }
  hashes.push(hash);
  return { size: size + 1, hashes };
}

/** Root of the tree over the frontier's leaves. */
export function rootOf({ hashes }: Frontier): Buffer {
  const last = hashes.at(-1);
  if (last === undefined) return EMPTY_ROOT;
  return hashes.slice(0, -1).reduceRight((root, larger) => nodeHash(larger, root), last);
}
