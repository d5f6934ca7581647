import type { Assignment, EventLog, LogGap } from '#platform/event-log/port.ts';

/** For groups that tolerate missing records: the information in them is sent again, or is stored elsewhere. */

/**
 * `onAssigned` of a stream: a group that was away for longer than the log keeps records continues at the log's start.
 */
export function startIfOutOfRange({ committed, start, end }: Assignment): number | undefined {
  return committed !== null && (committed < start || committed > end) ? start : undefined;
}

/** `skipGap` of a stream: the offset after the missing records, or the partition's end when none follow. */
export async function offsetAfterGap(
  log: Pick<EventLog, 'bounds'>,
  { topic, partition, untilOffset }: LogGap,
): Promise<number> {
  return untilOffset ?? (await log.bounds(topic, partition)).end;
}
