import type { Codec } from '../../../platform/codec/port.ts';
import type { Logger } from '../../../platform/runtime/logger.ts';
import type { PartitionStop } from '../../../platform/stream/partition-hold.ts';
import type { MemoryStore } from '../../../services/sink/testing/memory-store.ts';
import type { DurableLog } from '../parts/log.ts';
import type { DurableState } from '../parts/state.ts';
import type { Network, SimulatedProcess } from '../process.ts';
import type { Random } from '../random.ts';

/** What a process of the service is started on. */
export interface NodeParts {
  readonly process: SimulatedProcess;
  readonly log: DurableLog;
  readonly state: DurableState;
  readonly store: MemoryStore;
  readonly network: Network;
  readonly random: Random;
  readonly codec: Codec;
  readonly masterKey: Buffer;
  readonly logger: Logger;
  readonly epoch: number;
  /** UUIDv7 with this time, such that records under it, and those counted up from it, lie in the world's partitions. */
  readonly newId: (
    at: number,
    ids?: { readonly count?: number; readonly of?: 'customers' | 'others' },
  ) => string;
  /** `FAULT_INJECTION` of the analyzers. */
  readonly faultSpec: string;
  /** It may die between any two steps. */
  readonly crashPoint: () => void;
  /** The stream of a consumer ended by itself, red. */
  readonly onStopped: (error: Error) => void;
  /** The state was found older than the ledger while the process runs. */
  readonly onOlder: () => void;
}

/** A running process of the service. */
export interface RunningNode {
  /** Ends in order. */
  stop(): Promise<void>;
  /** Partitions that it says are stopped. */
  stopped(): readonly PartitionStop[];
}
