import { WarehouseDamaged } from '#platform/warehouse/port.ts';

/** What can be read of a range that cannot be read as a whole. */
interface ReadAround<Rows> {
  /** The rows in front of what is damaged; null: there are none. */
  readonly before: Rows | null;
  /** First and last index of what cannot be read. */
  readonly damagedFrom: number;
  readonly damagedTo: number;
}

/**
 * The range, or its readable beginning and where the damage ends, found by halving: at most two reads for each halving of
 * the range. What is readable between two damaged places of one range counts as damaged. `read` rejects with
 * `WarehouseDamaged` where rows cannot be read; other errors are thrown.
 */
export async function readAround<Rows>(
  from: number,
  to: number,
  read: (from: number, to: number) => Promise<Rows>,
): Promise<ReadAround<Rows>> {
  const attempt = (first: number, last: number): Promise<Rows | null> => orNull(read(first, last));
  let before = await attempt(from, from);
  let readable = before === null ? from - 1 : from;
  for (let damaged = before === null ? from : to; damaged - readable > 1; ) {
    const middle = Math.floor((readable + damaged) / 2);
    const rows = await attempt(from, middle);
    if (rows === null) damaged = middle;
    else [before, readable] = [rows, middle];
  }
  const damagedFrom = readable + 1;
  if (damagedFrom >= to || (await attempt(to, to)) === null) return { before, damagedFrom, damagedTo: to };
  let damaged = damagedFrom;
  for (let good = to; good - damaged > 1; ) {
    const middle = Math.floor((damaged + good) / 2);
    if ((await attempt(middle, to)) === null) damaged = middle;
    else good = middle;
  }
  return { before, damagedFrom, damagedTo: damaged };
}

/** null: the rows cannot be read. */
export const orNull = <Rows>(reading: Promise<Rows>): Promise<Rows | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof WarehouseDamaged) return null;
    throw error;
  });
