import { z } from 'zod';
import { parseDate } from '../../../schemas/api/dates.ts';
import { isoTime, uuid } from '../../../schemas/api/fields.ts';
import { MAX_OFFSET, type PageRequest, type Pagination } from '../../../schemas/api/paging.ts';
import { ApiError, invalid } from '../errors.ts';

/** Above any page that a list has; a number near the last safe one would not come back from the next cursor. */
const MAX_PAGE = 1e12;

/** A time that a row may carry, spelt as rows spell it: a made-up cursor may hold what looks like a time and is none. */
const rowTime = isoTime.refine((text) => {
  const at = parseDate(text, false);
  return at !== null && new Date(at).toISOString() === text;
});

/** Time and audit id: the order of every list that the warehouse keeps. */
export const timeAndId = z.tuple([rowTime, uuid]);
export type TimeAndId = z.output<typeof timeAndId>;

const encode = (value: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Where a list goes on: after the row with this `key`, with page number `page`. Opaque to clients; what does not
 * come back exactly as it was given out is refused.
 */
export interface Cursor<Key extends readonly unknown[]> {
  readonly page: number;
  readonly key: Key;
}

export const encodeCursor = <Key extends readonly unknown[]>({ page, key }: Cursor<Key>): string =>
  encode([page, ...key]);

function decodeCursor<Key extends readonly unknown[]>(text: string, keySchema: z.ZodType<Key>): Cursor<Key> {
  const broken = new ApiError('INVALID_CURSOR');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw broken;
  }
  if (!Array.isArray(value) || encode(value) !== text) throw broken;
  const [page, ...key] = value as unknown[];
  const parsedPage = z.int().min(2).max(MAX_PAGE).safeParse(page);
  const parsedKey = keySchema.safeParse(key);
  if (!parsedPage.success || !parsedKey.success) throw broken;
  return { page: parsedPage.data, key: parsedKey.data };
}

export interface Place<Key> {
  readonly page: number;
  readonly limit: number;
  /** Rows to pass over. */
  readonly offset: number;
  /** Begin behind this row instead. */
  readonly after: Key | null;
}

/** Where a page begins. Deep pages are for cursors: an offset costs as much as the rows it passes over. */
export function placeOf<Key extends readonly unknown[]>(
  { page, limit, cursor }: PageRequest,
  keySchema: z.ZodType<Key>,
): Place<Key> {
  if (cursor === undefined) {
    if (page * limit > MAX_OFFSET) throw new ApiError('PAGE_TOO_DEEP');
    return { page, limit, offset: (page - 1) * limit, after: null };
  }
  if (page !== 1) throw invalid('page', 'use either page or cursor');
  const decoded = decodeCursor(cursor, keySchema);
  return { page: decoded.page, limit, offset: 0, after: decoded.key };
}

/** One page out of up to limit + 1 rows that were read from its place on. */
export function pageOf<Row, Key extends readonly unknown[]>(
  rows: readonly Row[],
  total: number,
  { page, limit }: Place<Key>,
  keyOf: (row: Row) => Key,
): { rows: Row[]; pagination: Pagination } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > limit && last !== undefined ? encodeCursor({ page: page + 1, key: keyOf(last) }) : null;
  return { rows: shown, pagination: { page, limit, total, pages: Math.ceil(total / limit), nextCursor } };
}

const idKey = z.tuple([uuid]);

/** A page of a small list that is held whole, newest first: ids are UUIDv7, so their order is that of time. */
export function pageOfRecords<Record extends { readonly id: string }>(
  records: readonly Record[],
  request: PageRequest,
): { rows: Record[]; pagination: Pagination } {
  const place = placeOf(request, idKey);
  const newestFirst = [...records].sort((a, b) => (a.id < b.id ? 1 : -1));
  const { after } = place;
  const rest = after === null ? newestFirst : newestFirst.filter(({ id }) => id < after[0]);
  const rows = rest.slice(place.offset, place.offset + place.limit + 1);
  return pageOf(rows, records.length, place, ({ id }) => [id] as [string]);
}
