import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import type { Decision } from './dependencies/decisions.ts';
import type { DurableLog } from './dependencies/log.ts';
import type { PackageFolder } from './dependencies/packages.ts';
import type { DurableState } from './dependencies/state.ts';
import type { FaultPlan } from './faults.ts';
import type { Operator } from './operator.ts';
import type { Plan } from './plan.ts';
import type { Network } from './process.ts';
import type { Promised } from './promises.ts';
import type { Supervisor } from './supervisor.ts';
/** One run of the whole service, with all its persistent data. */
export interface World {
  readonly log: DurableLog;
  readonly state: DurableState;
  readonly store: MemoryStore;
  readonly packages: PackageFolder;
  /** Erasures in the order they were decided. */
  readonly decisions: readonly Decision[];
  readonly masterKey: Buffer;
  readonly promised: Promised;
  readonly supervisor: Supervisor;
  readonly operator: Operator;
  readonly network: Network;
  readonly faults: FaultPlan;
  readonly plan: Plan;
  /** Lines logged by the service. */
  readonly logged: string[];
  /** Ledger partitions with a damaged record, and its offset: everything before it must be folded. */
  readonly blocked: Map<number, number>;
  /** Monotonic ms at which an older state was restored, or null. What was confirmed before may be lost. */
  restoredAt: number | null;
  /**
   * Number of notes published before an older warehouse was restored as well: their rows, which only the API writes,
   * may be lost.
   */
  excusedNotes: number;
  readonly note: (who: string, what: string) => void;
  readonly now: () => number;
  readonly wall: () => number;
  /** Offset of every process's clock. */
  skewMs: number;
}
