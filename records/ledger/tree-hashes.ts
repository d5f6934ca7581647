import type { LeafRange } from '#core/evidence/tree/ranges.ts';
import {
  rangeRoot,
  STORED_HEIGHTS,
  type StoredHeights,
  type StoredRun,
  storedRuns,
} from '#core/evidence/tree/stored-subtrees.ts';
import { DamagedData, ServiceError } from '#platform/flow/service-error.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { ledgerLeaves, nextSubtree, subtreeRoots } from '#platform/warehouse/queries/trees.ts';

/** Runs at most this many hashes apart are read as one: cheaper than another query. */
const NEAR = 256;

/** Maximum leaves read where subtrees are not stored yet: the part that the sink's job has not reached. */
const MAX_UNSTORED = 16_384;

/** Too many subtrees of the range are missing: the sink's job lags far behind, or rows were lost. */
export class TreeBehind extends ServiceError {
  constructor() {
    super('the tree of the ledger is not stored up to this size yet');
    this.name = 'TreeBehind';
  }
}

/** Entries below the sink's positions are missing or duplicated: the ledger has no tree. */
export class LedgerDamaged extends DamagedData {
  constructor(customerId: string, what: string) {
    super(
      `the ledger of customer ${customerId} is damaged: ${what}. Run "cas damage" to see what can be restored`,
    );
    this.name = 'LedgerDamaged';
  }
}

/** Number of stored small subtrees of a customer. */
export const storedSmall = (
  warehouse: Warehouse,
  customerId: string,
  heights: StoredHeights = STORED_HEIGHTS,
): Promise<number> => nextSubtree(warehouse, customerId, heights.small);

/**
 * Roots over ranges of a customer's tree, from stored hashes. Rejects with `TreeBehind` if any are missing. `small`:
 * number of stored small subtrees, if read before; there may be more by now.
 */
export async function treeHashes(
  warehouse: Warehouse,
  customerId: string,
  ranges: readonly LeafRange[],
  heights: StoredHeights = STORED_HEIGHTS,
  small?: number,
): Promise<Buffer[]> {
  const upTo = (small ?? (await storedSmall(warehouse, customerId, heights))) * 2 ** heights.small;
  const tree = { heights, upTo };
  if (Math.max(0, ...ranges.map(({ to }) => to)) - tree.upTo > MAX_UNSTORED) throw new TreeBehind();
  const runs = joined(ranges.flatMap((range) => storedRuns(range, tree)));
  const known = new Map<string, Buffer>();
  for (const { height, index, hash } of await readRuns(warehouse, customerId, runs)) {
    const position = `${height}:${index}`;
    // Two different hashes at one index: neither can be trusted.
    if (known.has(position))
      throw new LedgerDamaged(customerId, `conflicting rows at entry ${index * 2 ** height}`);
    known.set(position, Buffer.from(hash, 'hex'));
  }
  const stored = (height: number, index: number): Buffer => {
    const hash = known.get(`${height}:${index}`);
    if (hash !== undefined) return hash;
    // Leaves are stored before the positions advance; the sink's job stores missing subtrees again.
    throw height === 0 ? new LedgerDamaged(customerId, `entry ${index} is missing`) : new TreeBehind();
  };
  return ranges.map((range) => rangeRoot(range, tree, stored));
}

async function readRuns(
  warehouse: Warehouse,
  customerId: string,
  runs: readonly StoredRun[],
): Promise<{ readonly height: number; readonly index: number; readonly hash: string }[]> {
  const [leaves, subtrees] = [
    runs.filter(({ height }) => height === 0),
    runs.filter(({ height }) => height > 0),
  ];
  const [roots, ...found] = await Promise.all([
    subtreeRoots(warehouse, customerId, subtrees),
    ...leaves.map(({ from, to }) => ledgerLeaves(warehouse, { customerId, from, to })),
  ]);
  return [...roots, ...found.flat().map(({ index, leafHash }) => ({ height: 0, index, hash: leafHash }))];
}

/** Merges runs of one height that are adjacent or nearly so. */
function joined(runs: readonly StoredRun[]): StoredRun[] {
  const all: StoredRun[] = [];
  for (const run of runs.toSorted((a, b) => a.height - b.height || a.from - b.from)) {
    const last = all.at(-1);
    if (last?.height === run.height && run.from - last.to <= NEAR)
      all[all.length - 1] = { ...last, to: Math.max(last.to, run.to) };
    else all.push(run);
  }
  return all;
}
