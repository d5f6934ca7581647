import type { Assignment, EventLog, LogHole } from '#platform/event-log/port.ts';

/** For groups that can do without a record which the log has lost: what it told is told again, or stored elsewhere. */

/** `onAssigned` of a stream: a group that was away for longer than the log keeps records goes on at its start. */
export function beginningOf({ committed, start, end }: Assignment): number | undefined {
  return committed !== null && (committed < start || committed > end) ? start : undefined;
}

/** `passHole` of a stream: behind the hole, which is at the end of a partition that ends before it. */
export async function behindHole(
  log: Pick<EventLog, 'bounds'>,
  { topic, partition, untilOffset }: LogHole,
): Promise<number> {
  return untilOffset ?? (await log.bounds(topic, partition)).end;
}
