import { CHAIN_START, chainHash } from '#core/evidence/hashing.ts';
import { completeRoot, STORED_HEIGHTS, type StoredHeights } from '#core/evidence/tree/stored-subtrees.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type LedgerSpan,
  type LinkRow,
  linksOfLedgers,
  storedSubtrees,
  subtreeRoots,
} from '#platform/warehouse/queries/trees.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { SUBTREES, type SubtreeRow } from '#schemas/tables/tables.ts';

/** Small subtrees per round: 16,384 leaves, about 4 MB of rows. A round completes at most one large subtree. */
const BLOCKS_PER_ROUND = 64;

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The ledger below the sink's positions has a gap, or entries that do not link: no tree is made from it. */
export class BrokenLedger extends Error {
  readonly index: number;
  constructor(index: number) {
    super(`the ledger does not link at index ${index}; the tree stops before it`);
    this.name = 'BrokenLedger';
    this.index = index;
  }
}

interface GrowOptions {
  readonly stopping?: AbortSignal | undefined;
  readonly heights?: StoredHeights | undefined;
}

/**
 * Stores the roots of a customer's complete subtrees up to `size` entries, all below the sink's positions. Resumes
 * where it stopped; rows written twice are the same. Returns how many small ones there are now.
 */
export async function growTree(
  warehouse: Warehouse,
  customerId: string,
  size: number,
  { stopping, heights = STORED_HEIGHTS }: GrowOptions = {},
): Promise<number> {
  for (let stored = await storedSubtrees(warehouse, customerId, heights.small); ; ) {
    const round = stopping?.aborted === true ? null : nextRound({ customerId, stored, size }, heights);
    if (round === null) return stored;
    const links = await linksOfLedgers(warehouse, [spanOf(round, heights)]);
    await storeSubtrees(
      warehouse,
      await subtreesOf(round, links.get(customerId) ?? [], { warehouse, heights }),
    );
    stored = round.to;
  }
}

export const storeSubtrees = (warehouse: Warehouse, rows: readonly SubtreeRow[]): Promise<void> =>
  warehouse.insert(SUBTREES.name, columnNames(SUBTREES), rows);

/** The next small subtrees of a customer to store, from `from` up to but excluding `to`. */
export type TreeRound = LedgerSpan;

/** The next round; null when all complete subtrees up to `size` entries are stored. */
export function nextRound(
  {
    customerId,
    stored,
    size,
  }: { readonly customerId: string; readonly stored: number; readonly size: number },
  heights: StoredHeights,
): TreeRound | null {
  const complete = Math.floor(size / 2 ** heights.small);
  if (stored >= complete) return null;
  const most = Math.min(BLOCKS_PER_ROUND, smallInLarge(heights));
  return { customerId, from: stored, to: Math.min(complete, stored + most) };
}

/** The entries that a round reads: one more on the left, because the chain must continue from it. */
export function spanOf({ customerId, from, to }: TreeRound, { small }: StoredHeights): LedgerSpan {
  return { customerId, from: Math.max(0, from * 2 ** small - 1), to: to * 2 ** small };
}

interface Trees {
  readonly warehouse: Warehouse;
  readonly heights: StoredHeights;
}

/**
 * The subtrees that a round completes, from the links in its span. Rejects with `BrokenLedger` when they do not link.
 */
export async function subtreesOf(
  round: TreeRound,
  links: readonly LinkRow[],
  trees: Trees,
): Promise<readonly SubtreeRow[]> {
  const small = smallSubtrees(round, links, trees.heights);
  return [...small, ...(await largeSubtrees(round.customerId, small, trees))];
}

const smallInLarge = ({ small, large }: StoredHeights): number => 2 ** (large - small);

function smallSubtrees(
  { customerId, from, to }: TreeRound,
  span: readonly LinkRow[],
  { small: height }: StoredHeights,
): SubtreeRow[] {
  const width = 2 ** height;
  const first = from * width;
  const [before, links] = first === 0 ? [CHAIN_START.toString('hex'), span] : [span[0]?.hash, span.slice(1)];
  assertLinked(links, first, to * width, before);
  return Array.from({ length: to - from }, (_, i) => {
    const leaves = links.slice(i * width, (i + 1) * width).map(({ leafHash }) => bytes(leafHash));
    return { customerId, height, index: from + i, hash: completeRoot(leaves).toString('hex') };
  });
}

function assertLinked(links: readonly LinkRow[], from: number, to: number, before: string | undefined): void {
  let previous = before;
  for (let index = from; index < to; index += 1) {
    const link = links[index - from];
    if (link?.index !== index || link.previousHash !== previous) throw new BrokenLedger(index);
    if (chainHash(bytes(link.previousHash), bytes(link.leafHash)).toString('hex') !== link.hash)
      throw new BrokenLedger(index);
    previous = link.hash;
  }
  if (links.length !== to - from) throw new BrokenLedger(to);
}

/** The large subtree that the new small ones complete, if any. */
async function largeSubtrees(
  customerId: string,
  small: readonly SubtreeRow[],
  { warehouse, heights }: Trees,
): Promise<SubtreeRow[]> {
  const width = smallInLarge(heights);
  const last = small.findIndex((row) => (row.index + 1) % width === 0);
  if (last < 0) return [];
  const index = Math.floor(small[last]!.index / width);
  const from = index * width;
  const run = { height: heights.small, from, to: small[0]!.index };
  const earlier = await subtreeRoots(warehouse, customerId, [run]);
  const roots = [...earlier, ...small.slice(0, last + 1)].filter((root) => root.index >= from);
  if (roots.length !== width) throw new BrokenLedger(from * 2 ** heights.small);
  const hash = completeRoot(roots.map((root) => bytes(root.hash))).toString('hex');
  return [{ customerId, height: heights.large, index, hash }];
}
