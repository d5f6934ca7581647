/**
 * What is known of the ids of a customer's signals below a position without asking the warehouse. An audit's id begins
 * with its time, so nearly all signals of a chunk are newer than everything stored, or were in the chunk before.
 */
export interface SignalIds {
  /** No id is greater, except those of `recent`; '' when there are no others. */
  readonly newest: string;
  /** Ids of the customer's last chunk. */
  readonly recent: ReadonlySet<string>;
}

/** Of these alone JavaScript's order and the warehouse's, which is that of bytes, are the same. */
const ASCII = /^[\x21-\x7e]+$/;

/** Whether a signal with this id is stored below the position; null: the warehouse has to be asked. */
export function isStored(ids: SignalIds | undefined, id: string): boolean | null {
  if (ids === undefined) return null;
  if (ids.recent.has(id)) return true;
  return id > ids.newest && ASCII.test(id) ? false : null;
}

const NONE: ReadonlySet<string> = new Set();
/** Of a customer without a signal. */
export const NO_SIGNALS: SignalIds = { newest: '', recent: NONE };

/** The same without ids of a chunk: what repeats one of them has to be looked up. */
export const settled = (ids: SignalIds): SignalIds => (ids.recent.size === 0 ? ids : withChunk(ids, NONE));

/** The same behind a chunk that held these signals of the customer; those that it repeated may be among them. */
export function withChunk({ newest, recent }: SignalIds, chunk: ReadonlySet<string>): SignalIds {
  let greatest = newest;
  for (const id of recent) if (id > greatest) greatest = id;
  return { newest: greatest, recent: chunk };
}
