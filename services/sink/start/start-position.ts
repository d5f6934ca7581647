import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import {
  type Assignment,
  type EventLog,
  LogGap,
  type PartitionBounds,
  type StoredRecord,
} from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import type { PositionRow } from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';

/** The log's epoch moved on while a sink was running: others may store the same rows under the new epoch. */
export class EpochMovedOn extends Error {
  constructor(epoch: number, warehouseEpoch: number | null) {
    super(
      `this sink works under log epoch ${epoch}, and the warehouse is at ${warehouseEpoch ?? 'none'}: "cas migrate --new-epoch" ran at the same time, or the warehouse was replaced. This sink stores nothing more; restart it.`,
    );
    this.name = 'EpochMovedOn';
  }
}

/** Rejects with `EpochMovedOn` when the warehouse's epoch is no longer the sink's. */
export async function assertEpoch(store: Pick<SinkStore, 'epoch'>, epoch: number): Promise<void> {
  const warehouseEpoch = await store.epoch();
  if (warehouseEpoch !== epoch) throw new EpochMovedOn(epoch, warehouseEpoch);
}

/** Log and warehouse do not belong together: continuing would lose records, store them twice or fork a chain. */
export class SinkRefused extends PartitionFault {
  constructor(topic: string, partition: number, what: string) {
    super(
      'START_REFUSED',
      'START_REFUSED',
      { topic, partition, offset: null },
      `${topic}/${partition}: ${what} Nothing was stored or skipped. Restore the lost data from its backup; or, to accept the loss, run "cas migrate --new-epoch".`,
    );
    this.name = 'SinkRefused';
  }
}

export interface StartFacts {
  readonly assignment: Assignment;
  /** The log epoch that this sink writes under, from the state. */
  readonly epoch: number;
  readonly warehouseEpoch: number | null;
  /** The warehouse's position in this epoch; null when nothing of this partition is stored. */
  readonly position: Pick<PositionRow, 'nextOffset' | 'lastDigest'> | null;
  /** The record before that position as the log holds it now; null when it is gone or there is none. */
  readonly before: StoredRecord | null;
}

/**
 * Offset at which the sink starts: the warehouse's position. The group's offset is at most a hint, because only the
 * warehouse knows what it stored. Throws `SinkRefused` when log and warehouse contradict each other, and `LogGap` when
 * records that are not stored yet are gone. A position without a digest (in a new epoch) says where to start and
 * nothing about the records before it.
 */
export function decideStart(facts: StartFacts): number {
  const { assignment, epoch, warehouseEpoch, position, before } = facts;
  const { topic, partition, start, end, committed } = assignment;
  const refuse = (what: string): never => {
    throw new SinkRefused(topic, partition, what);
  };
  if (warehouseEpoch !== epoch) {
    refuse(`the state says log epoch ${epoch}, the warehouse ${warehouseEpoch ?? 'none'}.`);
  }
  if (position === null && committed !== null && committed > 0) {
    refuse(`the consumer group is at offset ${committed}, but the warehouse is empty: its rows were lost.`);
  }
  const next = position?.nextOffset ?? 0;
  if (position !== null && next < start) {
    throw new LogGap(
      topic,
      partition,
      next,
      `a log that starts at ${start}: records were deleted unread`,
      start,
    );
  }
  if (next < start) {
    refuse(
      `the warehouse stands at offset ${next}, but the log starts at ${start}: records were deleted unread.`,
    );
  }
  if (next > end) {
    refuse(`the warehouse stands at offset ${next}, but the log ends at ${end}: it was lost or recreated.`);
  }
  if (position !== null && position.lastDigest !== '' && before !== null) {
    if (recordDigest(before) !== position.lastDigest) {
      refuse(`the record at offset ${before.offset} is not the one that was stored: the log was replaced.`);
    }
  }
  return next;
}

interface StartDependencies {
  readonly log: Pick<EventLog, 'read' | 'bounds'>;
  readonly store: SinkStore;
  readonly epoch: number;
}

/** Reads the facts for `decideStart` and decides. Rejects with outages of log or warehouse too. */
export async function startPosition(
  assignment: Assignment,
  dependencies: StartDependencies,
): Promise<number> {
  return (await checkPartition(assignment, dependencies)).offset;
}

/**
 * Compares log and warehouse on every partition before anything starts. Rejects with `SinkRefused` when a partition
 * contradicts the warehouse and no other partition of its topic proves that this is the stored topic: a log and a
 * warehouse that do not belong together are refused at start, not after records were accepted. A single topic may have
 * been lost or recreated, so other topics prove nothing about it. In the right topic, a contradicting partition or a
 * gap affects that partition only: it stops when it is assigned, and the others work. `isOneFile`: all partitions of
 * the log are one file, which is never lost in part, so one contradiction shows that the file is an older one.
 */
export async function checkStart(
  assignments: readonly Assignment[],
  dependencies: StartDependencies,
  { isOneFile = false }: { readonly isOneFile?: boolean } = {},
): Promise<void> {
  const checks = await Promise.allSettled(
    assignments.map((assignment) => checkPartition(assignment, dependencies)),
  );
  const proved = new Set(assignments.filter((_, n) => isConfirmed(checks[n]!)).map(({ topic }) => topic));
  for (const [n, check] of checks.entries()) {
    if (check.status === 'fulfilled' || check.reason instanceof LogGap) continue;
    const isOwn = check.reason instanceof SinkRefused && !isOneFile && proved.has(assignments[n]!.topic);
    if (!isOwn) throw check.reason;
  }
}

const isConfirmed = (check: PromiseSettledResult<{ readonly confirmed: boolean }>): boolean =>
  check.status === 'fulfilled' && check.value.confirmed;

/** `confirmed`: the record before that offset was read again and is the stored one. */
async function checkPartition(
  assignment: Assignment,
  dependencies: StartDependencies,
): Promise<{ readonly offset: number; readonly confirmed: boolean }> {
  const { log, store, epoch } = dependencies;
  const { topic, partition } = assignment;
  const [warehouseEpoch, position] = await Promise.all([
    store.epoch(),
    store.position(epoch, topic, partition),
  ]);
  const decideWithin = async (bounds: PartitionBounds) => {
    const isRead = position !== null && position.lastDigest !== '' && position.nextOffset > bounds.start;
    const before = isRead ? await log.read(topic, partition, position.nextOffset - 1) : null;
    const { start, end } = bounds;
    const offset = decideStart({
      assignment: { ...assignment, start, end },
      epoch,
      warehouseEpoch,
      position,
      before,
    });
    return { offset, confirmed: before !== null };
  };
  try {
    return await decideWithin(assignment);
  } catch (error) {
    if (!(error instanceof PartitionFault)) throw error;
    // The assignment's bounds may be outdated: another sink may have stored records that were appended since, and lost
    // records may be back.
    return decideWithin(await log.bounds(topic, partition));
  }
}
