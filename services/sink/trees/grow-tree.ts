import { CHAIN_START, chainHash } from '#core/evidence/hashing.ts';
import { completeRoot } from '#core/evidence/tree/stored-subtrees.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type LinkRow,
  ledgerLinks,
  storedSubtrees,
  subtreeRoots,
} from '#platform/warehouse/queries/trees.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { SUBTREES, type SubtreeRow } from '#schemas/tables/tables.ts';

const SMALL_HEIGHT = 8;
const LARGE_HEIGHT = 16;
/** Leaves of a small subtree, and small subtrees of a large one. */
const WIDTH = 256;
/** Small subtrees per round: 16,384 leaves, about 4 MB of rows. */
const BLOCKS_PER_ROUND = 64;

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The ledger below the sink's positions has a gap, or entries that do not link: no tree is made of that. */
export class BrokenLedger extends Error {
  readonly index: number;
  constructor(index: number) {
    super(`the ledger does not link at index ${index}; the tree stops before it`);
    this.name = 'BrokenLedger';
    this.index = index;
  }
}

/**
 * Stores the roots of a customer's complete subtrees up to `size` entries, all of which lie below the sink's positions.
 * Goes on where it stopped; what is written twice is the same. `known`: small subtrees that are stored already, when the
 * caller knows. Returns how many there are now.
 */
export async function growTree(
  warehouse: Warehouse,
  customerId: string,
  size: number,
  { known, stopping }: { readonly known?: number | undefined; readonly stopping?: AbortSignal } = {},
): Promise<number> {
  const complete = Math.floor(size / WIDTH);
  let stored = known ?? (await storedSubtrees(warehouse, customerId, SMALL_HEIGHT));
  while (stored < complete && stopping?.aborted !== true) {
    const until = Math.min(complete, stored + BLOCKS_PER_ROUND);
    const small = await smallSubtrees(warehouse, customerId, stored, until);
    const large = await largeSubtrees(warehouse, customerId, small);
    await warehouse.insert(SUBTREES.name, columnNames(SUBTREES), [...small, ...large]);
    stored = until;
  }
  return stored;
}

/** Subtrees of 256 leaves from `from` up to, and without, `to`. */
async function smallSubtrees(
  warehouse: Warehouse,
  customerId: string,
  from: number,
  to: number,
): Promise<SubtreeRow[]> {
  const first = from * WIDTH;
  // One entry more on the left: the chain has to go on from it.
  const links = await ledgerLinks(warehouse, customerId, Math.max(0, first - 1), to * WIDTH);
  const before = first === 0 ? CHAIN_START.toString('hex') : links.shift()?.hash;
  assertLinked(links, first, to * WIDTH, before);
  return Array.from({ length: to - from }, (_, i) => {
    const leaves = links.slice(i * WIDTH, (i + 1) * WIDTH).map(({ leafHash }) => bytes(leafHash));
    return { customerId, height: SMALL_HEIGHT, index: from + i, hash: completeRoot(leaves).toString('hex') };
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

/** The subtree of 65,536 leaves that the new small ones complete, if any: a round is too short for two. */
async function largeSubtrees(
  warehouse: Warehouse,
  customerId: string,
  small: readonly SubtreeRow[],
): Promise<SubtreeRow[]> {
  const last = small.findIndex((row) => (row.index + 1) % WIDTH === 0);
  if (last < 0) return [];
  const index = Math.floor(small[last]!.index / WIDTH);
  const from = index * WIDTH;
  const earlier = await subtreeRoots(warehouse, customerId, SMALL_HEIGHT, from, small[0]!.index);
  const roots = [...earlier, ...small.slice(0, last + 1)].filter((root) => root.index >= from);
  if (roots.length !== WIDTH) throw new BrokenLedger(from * WIDTH);
  const hash = completeRoot(roots.map((root) => bytes(root.hash))).toString('hex');
  return [{ customerId, height: LARGE_HEIGHT, index, hash }];
}
