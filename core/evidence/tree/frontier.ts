import { EMPTY_ROOT, nodeHash } from './node-hash.ts';

/** A complete subtree: `2 ** height` leaves from `index * 2 ** height` on. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
  readonly hash: Buffer;
}

/**
 * What has to be remembered of the first `size` leaves of a tree so that it can grow: the roots of the complete subtrees
 * that they part into, the largest first; one for each bit that is set in `size`.
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

/** The frontier with one leaf more. `onSubtree` is called for each subtree that it completes, from below upwards. */
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

/** Root of the tree of the frontier's leaves. */
export function rootOf({ hashes }: Frontier): Buffer {
  const last = hashes.at(-1);
  if (last === undefined) return EMPTY_ROOT;
  return hashes.slice(0, -1).reduceRight((root, larger) => nodeHash(larger, root), last);
}
