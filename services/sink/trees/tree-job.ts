import { STORED_HEIGHTS, type StoredHeights } from '#core/evidence/tree/stored-subtrees.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import { type FoldedBelow, ledgerSizes } from '#platform/warehouse/queries/trees.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { Head } from '../fold/rows.ts';
import { BrokenLedger, growTree } from './grow-tree.ts';

/** Customers of a page of the back-fill. */
const PAGE = 1_000;
/** Customers that are remembered; of those beyond, the daily back-fill finds what was left. */
const MAX_CUSTOMERS = 10_000;

export interface TreeJob {
  /** Called with the new heads of customers after the positions behind them are stored. */
  folded(heads: ReadonlyMap<string, Pick<Head, 'index'>>): void;
  /** Stores what became complete since the last run. Rejects with an outage; what is left is tried again. */
  run(stopping: AbortSignal): Promise<void>;
  /** Goes through all customers: after an upgrade, a crash, or when too many grew at once. */
  backfill(stopping: AbortSignal): Promise<void>;
}

interface TreeJobDependencies {
  readonly warehouse: Warehouse;
  readonly logger: { error(fields: object, message: string): void };
  readonly heights?: StoredHeights;
}

/** Trees of all customers whose ledger this sink folds, a job of their own below the positions: a flush never waits. */
export function createTreeJob({ warehouse, logger, heights = STORED_HEIGHTS }: TreeJobDependencies): TreeJob {
  /** Leaves of the smallest subtree that is stored. */
  const block = 2 ** heights.small;
  /** Entries by customer, of those that may have a complete block more. */
  const grown = new Map<string, number>();
  /** Stored blocks by customer. */
  const known = new Map<string, number>();
  /** Customers whose ledger does not link: told once, and not tried again until the next back-fill. */
  const broken = new Set<string>();

  const grow = async (customerId: string, size: number, stopping: AbortSignal): Promise<void> => {
    try {
      const blocks = await growTree(warehouse, customerId, size, {
        known: known.get(customerId),
        stopping,
        heights,
      });
      if (known.size >= MAX_CUSTOMERS) known.clear();
      known.set(customerId, blocks);
    } catch (error) {
      if (!(error instanceof BrokenLedger)) throw error;
      if (broken.size < MAX_CUSTOMERS && !broken.has(customerId))
        logger.error({ customerId, index: error.index }, error.message);
      broken.add(customerId);
    }
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
      for (const [customerId, size] of grown) {
        if (stopping.aborted) return;
        await grow(customerId, size, stopping);
        // Only if it has not grown further meanwhile.
        if (grown.get(customerId) === size) grown.delete(customerId);
      }
    },
    backfill: async (stopping) => {
      const below = await foldedBelow(warehouse);
      if (below === null) return;
      broken.clear();
      // What is stored is looked up again: rows may have gone.
      known.clear();
      for (let after = ''; !stopping.aborted; ) {
        const page = await ledgerSizes(warehouse, below, after, PAGE);
        for (const { customerId, size } of page) {
          if (stopping.aborted) return;
          if (size >= block) await grow(customerId, size, stopping);
        }
        if (page.length < PAGE) return;
        after = page.at(-1)!.customerId;
      }
    },
  };
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
