import { WarehouseDamaged } from '#platform/warehouse/port.ts';

/** The readable rows of a range that cannot be read as a whole. */
interface ReadAround<Rows> {
  /** The rows before the damage; null: none. */
  readonly before: Rows | null;
  /** First and last unreadable index. */
  readonly damagedFrom: number;
  readonly damagedTo: number;
}

/**
 * Reads the range, or finds its readable start and the end of the damage by halving: at most two reads per halving.
 * Readable rows between two damaged spots of one range count as damaged. `read` rejects with `WarehouseDamaged` if rows
 * cannot be read; other errors are thrown.
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
