import { z } from 'zod';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { type DateRange, parseDate } from '#schemas/api/fields/dates.ts';
import { isoTime, uuid } from '#schemas/api/fields/fields.ts';
import { MAX_OFFSET, type PageRequest, type Pagination } from '#schemas/api/fields/paging.ts';

/** Above any list's page numbers; a number near the largest safe integer would not survive the next cursor. */
const MAX_PAGE = 1e12;

/** A time as rows spell it: a forged cursor may contain something that only resembles a time. */
const rowTime = isoTime.refine((text) => {
  const at = parseDate(text, false);
  return at !== null && new Date(at).toISOString() === text;
});

/** Time and id: the order of every list in the warehouse. */
export const timeAndId = z.tuple([rowTime, uuid]);
export type TimeAndId = z.output<typeof timeAndId>;

const encode = (value: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Where a list continues: after the row with this `key`, with page number `page`. Opaque to clients; a cursor is
 * refused unless it decodes to exactly what was issued.
 */
interface Cursor<Key extends readonly unknown[]> {
  readonly page: number;
  readonly key: Key;
}

export const encodeCursor = <Key extends readonly unknown[]>({ page, key }: Cursor<Key>): string =>
  encode([page, ...key]);

function decodeCursor<Key extends readonly unknown[]>(text: string, keySchema: z.ZodType<Key>): Cursor<Key> {
  const broken = new Refusal('INVALID_CURSOR');
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

export interface PageStart<Key> {
  readonly page: number;
  readonly limit: number;
  /** Rows to skip. */
  readonly offset: number;
  /** Start after this row instead. */
  readonly after: Key | null;
}

/** Where a page starts. Deep pages need cursors: an offset costs as much as the rows it skips. */
export function pageStart<Key extends readonly unknown[]>(
  { page, limit, cursor }: PageRequest,
  keySchema: z.ZodType<Key>,
): PageStart<Key> {
  if (cursor === undefined) {
    if (page * limit > MAX_OFFSET) throw new Refusal('PAGE_TOO_DEEP');
    return { page, limit, offset: (page - 1) * limit, after: null };
  }
  if (page !== 1) throw invalid('page', 'use page or cursor, not both');
  const decoded = decodeCursor(cursor, keySchema);
  return { page: decoded.page, limit, offset: 0, after: decoded.key };
}

/** One page out of up to limit + 1 rows read from its start. */
export function pageOf<Row, Key extends readonly unknown[]>(
  rows: readonly Row[],
  total: number,
  { page, limit }: PageStart<Key>,
  keyOf: (row: Row) => Key,
): { rows: Row[]; pagination: Pagination } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > limit && last !== undefined ? encodeCursor({ page: page + 1, key: keyOf(last) }) : null;
  return { rows: shown, pagination: { page, limit, total, pages: Math.ceil(total / limit), nextCursor } };
}

/** Whether a range contains a time (ISO 8601). */
export function holds({ from, to }: DateRange, time: string): boolean {
  const at = Date.parse(time);
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

const idKey = z.tuple([uuid]);
/** Framework and control: the order of attestations. */
export const controlKey = z.tuple([z.string().max(64)]);

/** A page of a list with known ids, newest first: UUIDv7 sort by time. Its cost does not grow with the list. */
export function pageOfIds(
  ids: readonly string[],
  request: PageRequest,
): { rows: string[]; pagination: Pagination } {
  const start = pageStart(request, idKey);
  const end = start.after === null ? ids.length - start.offset : countBelow(ids, start.after[0]);
  const rows = ids.slice(Math.max(0, end - start.limit - 1), Math.max(0, end)).reverse();
  return pageOf(rows, ids.length, start, (id) => [id] as [string]);
}

/** How many of these ordered ids come before `id`. */
function countBelow(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
