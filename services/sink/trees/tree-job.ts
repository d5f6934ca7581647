import { STORED_HEIGHTS, type StoredHeights } from '#core/evidence/tree/stored-subtrees.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import {
  type FoldedBelow,
  ledgerSizes,
  linksOfLedgers,
  storedSubtreesOf,
} from '#platform/warehouse/queries/trees.ts';
import type { SubtreeRow } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { Head } from '../fold/rows.ts';
import {
  BrokenLedger,
  growTree,
  nextRound,
  spanOf,
  storeSubtrees,
  subtreesOf,
  type TreeRound,
} from './grow-tree.ts';

/** Customers whose subtrees are read in one statement and stored in one insert. */
const CUSTOMERS_PER_TURN = 64;
/** Leaves per turn, about 4 MB of rows; a customer with more gets its first ones done. */
const LEAVES_PER_TURN = 16_384;
/** Customers per page of the backfill. */
const PAGE = 1_000;
/** Maximum number of customers remembered; the daily backfill catches up on the rest. */
const MAX_CUSTOMERS = 10_000;

export interface TreeJob {
  /** Called with customers' new heads once the positions after them are stored. */
  folded(heads: ReadonlyMap<string, Pick<Head, 'index'>>): void;
  /** Stores the subtrees completed since the last run. Rejects with an outage; the rest is retried. */
  run(stopping: AbortSignal): Promise<void>;
  /** Goes through all customers: after an upgrade, after a crash, or when too many grew at once. */
  backfill(stopping: AbortSignal): Promise<void>;
}

interface TreeJobDependencies {
  readonly warehouse: Warehouse;
  readonly logger: { error(fields: object, message: string): void };
  readonly heights?: StoredHeights;
}

/**
 * Grows the trees of all customers whose ledger this sink folds. A separate job below the positions: a flush never
 * waits.
 */
export function createTreeJob({ warehouse, logger, heights = STORED_HEIGHTS }: TreeJobDependencies): TreeJob {
  /** Leaves of the smallest stored subtree. */
  const block = 2 ** heights.small;
  /** Number of entries by customer, for customers that may have another complete block. */
  const grown = new Map<string, number>();
  /** Number of stored blocks by customer. */
  const known = new Map<string, number>();
  /** Customers whose ledger does not link: reported once, and not retried until the next backfill. */
  const broken = new Set<string>();

  const guarded = guardOf(broken, logger);
  const remember = (customerId: string, blocks: number): void => {
    if (known.size >= MAX_CUSTOMERS && !known.has(customerId)) known.clear();
    known.set(customerId, blocks);
  };
  /** Looks up the number of stored blocks for all customers not known yet, in one read. */
  const lookUpKnown = async (some: readonly Grown[]): Promise<void> => {
    const unknown = some.map(([customerId]) => customerId).filter((customerId) => !known.has(customerId));
    if (unknown.length === 0) return;
    const stored = await storedSubtreesOf(warehouse, unknown, heights.small);
    for (const [customerId, blocks] of stored) remember(customerId, blocks);
  };

  const growSome = async (some: readonly Grown[]): Promise<void> => {
    await lookUpKnown(some);
    const { rounds, complete } = nextRounds(some, known, heights);
    // Done, unless it has grown further meanwhile.
    for (const [customerId, size] of complete) if (grown.get(customerId) === size) grown.delete(customerId);
    const { rows, failed } = await roundsTogether(rounds, { warehouse, heights, guarded });
    for (const customerId of failed) grown.delete(customerId);
    if (rows.length > 0) await storeSubtrees(warehouse, rows);
    for (const { customerId, to } of rounds) if (!failed.has(customerId)) remember(customerId, to);
  };

  return {
    folded: (heads) => {
      for (const [customerId, { index }] of heads) {
        const blocks = Math.floor((index + 1) / block);
        if (blocks === 0 || blocks <= (known.get(customerId) ?? 0) || broken.has(customerId)) continue;
        if (grown.size < MAX_CUSTOMERS || grown.has(customerId)) grown.set(customerId, index + 1);
      }
    },
    run: async (stopping) => {
      while (grown.size > 0 && !stopping.aborted) {
        await growSome(nextOf(grown));
      }
    },
    backfill: async (stopping) => {
      broken.clear();
      // Reads again what is stored: rows may have gone.
      known.clear();
      for await (const { customerId, size } of foldedLedgers(warehouse)) {
        if (stopping.aborted) return;
        if (size < block) continue;
        const grow = () => growTree(warehouse, customerId, size, { stopping, heights });
        const blocks = await guarded(customerId, grow);
        if (blocks !== null) remember(customerId, blocks);
      }
    },
  };
}

/** Runs work for one customer. A ledger that does not link is reported, noted as broken, and skipped: null. */
const guardOf =
  (broken: Set<string>, logger: TreeJobDependencies['logger']) =>
  async <Result>(customerId: string, work: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BrokenLedger)) throw error;
      if (broken.size < MAX_CUSTOMERS && !broken.has(customerId))
        logger.error({ customerId, index: error.index }, 'ledger entries do not link; tree stopped');
      broken.add(customerId);
      return null;
    }
  };

type Grown = readonly [customerId: string, size: number];

/** The next round of each customer, as many as fit into one turn, and the customers without one. */
function nextRounds(
  some: readonly Grown[],
  known: ReadonlyMap<string, number>,
  heights: StoredHeights,
): { readonly rounds: readonly TreeRound[]; readonly complete: readonly Grown[] } {
  const rounds: TreeRound[] = [];
  const complete: Grown[] = [];
  let leaves = 0;
  for (const one of some) {
    const [customerId, size] = one;
    const stored = known.get(customerId);
    // Forgotten because very many are remembered: its turn will come.
    if (stored === undefined) continue;
    const round = nextRound({ customerId, stored, size }, heights);
    if (round === null) {
      complete.push(one);
      continue;
    }
    leaves += (round.to - round.from) * 2 ** heights.small;
    if (leaves > LEAVES_PER_TURN && rounds.length > 0) break;
    rounds.push(round);
  }
  return { rounds, complete };
}

/** Rows of several customers' rounds, read together: a statement costs nearly the same for one customer as for many. */
async function roundsTogether(
  rounds: readonly TreeRound[],
  {
    warehouse,
    heights,
    guarded,
  }: {
    readonly warehouse: Warehouse;
    readonly heights: StoredHeights;
    readonly guarded: ReturnType<typeof guardOf>;
  },
): Promise<{ readonly rows: readonly SubtreeRow[]; readonly failed: ReadonlySet<string> }> {
  const rows: SubtreeRow[] = [];
  const failed = new Set<string>();
  if (rounds.length === 0) return { rows, failed };
  const spans = rounds.map((round) => spanOf(round, heights));
  const links = await linksOfLedgers(warehouse, spans);
  for (const round of rounds) {
    const { customerId } = round;
    const added = await guarded(customerId, () =>
      subtreesOf(round, links.get(customerId) ?? [], { warehouse, heights }),
    );
    if (added === null) failed.add(customerId);
    else rows.push(...added);
  }
  return { rows, failed };
}

/** The next customers, which move to the back of the queue, so that each gets a turn. */
function nextOf(grown: Map<string, number>): Grown[] {
  const some = [...grown].slice(0, CUSTOMERS_PER_TURN);
  for (const [customerId, size] of some) {
    grown.delete(customerId);
    grown.set(customerId, size);
  }
  return some;
}

/** All customers with the number of their entries below the sink's positions. */
async function* foldedLedgers(
  warehouse: Warehouse,
): AsyncGenerator<{ readonly customerId: string; readonly size: number }> {
  const below = await foldedBelow(warehouse);
  if (below === null) return;
  for (let after = ''; ; ) {
    const page = await ledgerSizes(warehouse, below, after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.customerId;
  }
}

/** null: the warehouse was never filled. */
async function foldedBelow(warehouse: Warehouse): Promise<FoldedBelow | null> {
  const current = await warehouseEpoch(warehouse);
  if (current === null) return null;
  const nextOffsets = Array.from({ length: LEDGER.partitions }, () => 0);
  for (const { epoch, partition, nextOffset } of await storedPositions(warehouse, LEDGER.name))
    if (epoch === current.epoch) nextOffsets[partition] = nextOffset;
  return { epoch: current.epoch, nextOffsets };
}
