import type { StoredHeights } from '#core/evidence/tree/stored-subtrees.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { PartitionStop } from '#platform/stream/partition/stops.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import type { DurableLog } from '../dependencies/log.ts';
import type { PackageFolder } from '../dependencies/packages.ts';
import type { DurableState } from '../dependencies/state.ts';
import type { Network, SimulatedProcess } from '../process.ts';
import type { Random } from '../random.ts';

/** Subtrees of four and sixteen entries, because ledgers of a run are short. */
export const TREE_HEIGHTS: StoredHeights = { small: 2, large: 4 };

/** The dependencies of a process of the service. */
export interface NodeDependencies {
  readonly process: SimulatedProcess;
  readonly log: DurableLog;
  readonly state: DurableState;
  readonly store: MemoryStore;
  readonly packages: PackageFolder;
  readonly network: Network;
  readonly random: Random;
  readonly codec: Codec;
  readonly masterKey: Buffer;
  readonly logger: Logger;
  readonly epoch: number;
  /**
   * A UUIDv7 with this time, chosen so that records under it, and under ids counted up from it, are in the world's
   * partitions.
   */
  readonly newId: (
    at: number,
    ids?: { readonly count?: number; readonly of?: 'customers' | 'others' },
  ) => string;
  /** Failing analyses: `test/programs/fail-analyses.ts`. */
  readonly faultSpec: string;
  /** The process may die at it, more often at probes whose name begins with `api.` */
  readonly probe: Probe;
  /** Called when a consumer stopped by itself with an error. */
  readonly onStopped: (error: Error) => void;
  /** Called when a running process finds that the state is older than the ledger. */
  readonly onOlder: () => void;
}

/** A running process of the service. */
export interface RunningNode {
  /** Stops gracefully. */
  stop(): Promise<void>;
  /** Partitions that it reports as stopped. */
  stopped(): readonly PartitionStop[];
}
