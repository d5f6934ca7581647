import type { Batch } from '#platform/event-log/port.ts';
import { delayOf, type RetryRoute } from '../failure/retry-route.ts';

/** The batch's first record as a separate batch, and the rest. */
export function splitFirst(batch: Batch): [first: Batch, rest: Batch | null] {
  const [record, ...others] = batch.records;
  const next = others[0];
  if (record === undefined || next === undefined) return [batch, null];
  return [
    { ...batch, records: [record], nextOffset: next.offset },
    { ...batch, records: others },
  ];
}

interface Split {
  readonly due: Batch | null;
  readonly waiting: { readonly dueAt: number; readonly offset: number } | null;
}

/**
 * Records of a retry topic up to the first that is not yet due. All records of a topic have the same delay, so due
 * times increase. Records below `waitedUpTo` have waited here for their topic's delay, so they are due regardless of
 * the wall clock.
 */
export function splitDue(
  batch: Batch,
  route: RetryRoute | undefined,
  now: number,
  waitedUpTo: number,
): Split {
  const delayMs = delayOf(route, batch.topic);
  if (delayMs === undefined) return { due: batch, waiting: null };
  const dueTimes = batch.records.map((record) => {
    const named = Number(record.headers['x-due-ts']);
    // Also bounded by the log's timestamp, so that a host whose clock is fast cannot delay a partition.
    return Number.isFinite(named) ? Math.min(named, record.timestamp + delayMs) : 0;
  });
  const first = dueTimes.findIndex(
    (dueAt, i) => dueAt > now && (batch.records[i]?.offset ?? 0) >= waitedUpTo,
  );
  if (first === -1) return { due: batch, waiting: null };
  const offset = batch.records[first]?.offset ?? batch.nextOffset;
  const waiting = { dueAt: dueTimes[first] ?? now, offset };
  if (first === 0) return { due: null, waiting };
  return { due: { ...batch, records: batch.records.slice(0, first), nextOffset: offset }, waiting };
}
