import type { SubtreeRow } from '#schemas/tables/tables.ts';
import { EMPTY_FRONTIER, type Frontier, type Subtree, withLeaf } from '../tree/frontier.ts';

/** Heights at which roots are stored (`tree/stored-subtrees.ts` writes them). */
const SMALL = 8;
const LARGE = 16;
const SMALL_LEAVES = 2 ** SMALL;
const SMALL_IN_LARGE = 2 ** (LARGE - SMALL);

/** Compares stored subtree roots with those computed from the entries; entries come in order, with or without gaps. */
interface SubtreeCheck {
  /** Stored roots of the subtrees that the next entries complete; replaces earlier ones. */
  stored(rows: readonly Pick<SubtreeRow, 'height' | 'index' | 'hash'>[]): void;
  /** One intact entry. */
  entry(index: number, leafHash: string): void;
  /** A missing or broken entry: subtrees that contain it are not compared, because its fault is already reported. */
  broken(): void;
}

/** A subtree that grows from its first leaf; null before the first one. */
interface Growing {
  readonly next: number;
  readonly tree: Frontier;
}

/** `onMismatch`: called with the first entry of each subtree whose stored root differs. */
export function createSubtreeCheck(onMismatch: (firstEntry: number) => void): SubtreeCheck {
  let roots = new Map<string, string[]>();
  let leaves: Growing | null = null;
  let smalls: Growing | null = null;

  const compare = (height: number, index: number, hash: Buffer): void => {
    const position = `${height}:${index}`;
    const found = roots.get(position) ?? [];
    roots.delete(position);
    // No stored root: not stored yet.
    if (found.some((stored) => stored !== hash.toString('hex'))) onMismatch(index * 2 ** height);
  };

  /**
   * Adds the hash at its index; calls back with the root of a complete tree, and restarts at the first index of the
   * next.
   */
  const grow = (
    growing: Growing | null,
    index: number,
    hash: Buffer,
    width: number,
    onComplete: (root: Buffer) => void,
  ): Growing | null => {
    const isFirst = index % width === 0;
    if (!isFirst && growing?.next !== index) return null;
    let last: Subtree | null = null;
    const tree = withLeaf(isFirst || growing === null ? EMPTY_FRONTIER : growing.tree, hash, (subtree) => {
      last = subtree;
    });
    if ((index + 1) % width === 0 && last !== null) onComplete((last as Subtree).hash);
    return { next: index + 1, tree };
  };

  return {
    stored: (rows) => {
      roots = new Map();
      for (const { height, index, hash } of rows) {
        const position = `${height}:${index}`;
        roots.set(position, [...(roots.get(position) ?? []), hash]);
      }
    },
    entry: (index, leafHash) => {
      leaves = grow(leaves, index, Buffer.from(leafHash, 'hex'), SMALL_LEAVES, (small) => {
        const position = Math.floor(index / SMALL_LEAVES);
        compare(SMALL, position, small);
        smalls = grow(smalls, position, small, SMALL_IN_LARGE, (large) =>
          compare(LARGE, Math.floor(position / SMALL_IN_LARGE), large),
        );
      });
    },
    broken: () => {
      [leaves, smalls] = [null, null];
    },
  };
}
