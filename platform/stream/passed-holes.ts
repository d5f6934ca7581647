import type { Assignment, EventLog, LogHole } from '#platform/event-log/port.ts';

/** For groups that tolerate missing records: the information in them is sent again, or is stored elsewhere. */

/**
 * `onAssigned` of a stream: a group that was away for longer than the log keeps records continues at the log's start.
 */
export function beginningOf({ committed, start, end }: Assignment): number | undefined {
  return committed !== null && (committed < start || committed > end) ? start : undefined;
}

/** `passHole` of a stream: the offset after the missing records, or the partition's end when none follow. */
export async function behindHole(
  log: Pick<EventLog, 'bounds'>,
  { topic, partition, untilOffset }: LogHole,
): Promise<number> {
  return untilOffset ?? (await log.bounds(topic, partition)).end;
}
