import type { Assignment, Consumer } from '#platform/event-log/port.ts';
import type { RecentCustomers } from '../failure/recent-customers.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { Gate } from './gate.ts';
import type { StreamLimits, StreamOptions } from './options.ts';
export interface PartitionWorkOptions extends StreamOptions {
  readonly topic: string;
  readonly partition: number;
  /** The assignment of the work, compared by identity. */
  readonly assignment: Assignment;
  readonly limits: StreamLimits;
  readonly now: () => number;
  readonly clock: () => number;
  /** Shared by the partitions of the stream. */
  readonly gate: Gate;
  readonly commits: CommitQueue;
  readonly tick: () => Promise<void>;
  readonly recentSuccesses: RecentCustomers;
  /** Resolves before the first batch; a batch may arrive before the call that joined the group has returned. */
  readonly consumer: () => Promise<Consumer>;
}
