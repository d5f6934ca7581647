import type { Period } from './period.ts';

/** Pages that show how many records match their address. */
type ListPath = '/signals' | '/audits' | '/incidents' | '/dead-letters' | '/correlations' | '/controls';

/** ISO 8601, both inclusive; undefined: that end is open. */
export type Dates = Pick<Period, 'from' | 'to'>;

/** What a number counts: the records of a list that match its filters, between two dates. */
export interface Counted {
  readonly list: ListPath;
  readonly filters?: Readonly<Record<string, string | undefined>>;
  readonly dates?: Dates;
}

/** Address of the list that shows exactly what was counted. */
export function listAddress({
  list,
  filters = {},
  dates = { from: undefined, to: undefined },
}: Counted): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...dates }))
    if (value !== undefined) search.set(name, value);
  return search.size === 0 ? list : `${list}?${search}`;
}

/** The interval of one or more bars, within the dates of their series: the first and last bar may be partial. */
export function datesOfBars(fromSeconds: number, endSeconds: number, series: Dates): Dates {
  const from = new Date(fromSeconds * 1_000).toISOString();
  // The end of a bar is exclusive.
  const to = new Date(endSeconds * 1_000 - 1).toISOString();
  return {
    from: series.from !== undefined && series.from > from ? series.from : from,
    to: series.to !== undefined && series.to < to ? series.to : to,
  };
}
