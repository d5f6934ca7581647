import { setImmediate as turn } from 'node:timers/promises';
import type { Documents } from '#platform/state/port.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';

/** Filters ids by whether their records were created within a range; keeps their order. */
type CreatedWithin = (
  customerId: string,
  ids: readonly string[],
  range?: DateRange,
) => Promise<readonly string[]>;

/** Customers whose times a process caches, each up to its plan's limit; the least recently used is evicted. */
const MAX_CUSTOMERS = 20;
/** Records read before yielding to other requests. */
const READ_AT_ONCE = 128;

/** An id does not give the exact creation time, so each process reads each record of the collection once. */
export function createdWithin(documents: Pick<Documents, 'get'>, collection: string): CreatedWithin {
  const known = new Map<string, Map<string, number>>();

  const timesOf = (customerId: string): Map<string, number> => {
    const times = known.get(customerId) ?? new Map<string, number>();
    known.delete(customerId);
    known.set(customerId, times);
    if (known.size > MAX_CUSTOMERS) known.delete(known.keys().next().value as string);
    return times;
  };

  const read = async (customerId: string, id: string, times: Map<string, number>): Promise<void> => {
    const found = await documents.get<{ readonly createdAt: string }>({ scope: customerId, collection, id });
    if (found !== null) times.set(id, Date.parse(found.value.createdAt));
  };

  return async (customerId, ids, { from, to } = { from: undefined, to: undefined }) => {
    if (from === undefined && to === undefined) return ids;
    const times = timesOf(customerId);
    const unread = ids.filter((id) => !times.has(id));
    for (let start = 0; start < unread.length; start += READ_AT_ONCE) {
      if (start > 0) await turn();
      await Promise.all(unread.slice(start, start + READ_AT_ONCE).map((id) => read(customerId, id, times)));
    }
    const isWithin = (at: number): boolean =>
      (from === undefined || at >= from) && (to === undefined || at <= to);
    // NaN, for a record deleted in the meantime, is in no range.
    return ids.filter((id) => isWithin(times.get(id) ?? Number.NaN));
  };
}
