/**
 * What is known about a customer's signal ids below a position without asking the warehouse. An audit's id starts with
 * its time, so nearly all signals of a chunk are newer than everything stored, or were in the previous chunk.
 */
export interface SignalIds {
  /** The greatest id, apart from `recent`; '' when there are no others. */
  readonly newest: string;
  /** Ids of the customer's last chunk. */
  readonly recent: ReadonlySet<string>;
}

/** Only for these is JavaScript's string order the same as the warehouse's byte order. */
const ASCII = /^[\x21-\x7e]+$/;

/** Whether a signal with this id is stored below the position; null when only the warehouse knows. */
export function isStored(ids: SignalIds | undefined, id: string): boolean | null {
  if (ids === undefined) return null;
  if (ids.recent.has(id)) return true;
  return id > ids.newest && ASCII.test(id) ? false : null;
}

const NONE: ReadonlySet<string> = new Set();
/** For a customer without signals. */
export const NO_SIGNALS: SignalIds = { newest: '', recent: NONE };

/** The same without a chunk's ids: repeats of those have to be looked up. */
export const settled = (ids: SignalIds): SignalIds => (ids.recent.size === 0 ? ids : withChunk(ids, NONE));

/** The same after a chunk with these signals of the customer, which may include repeated ones. */
export function withChunk({ newest, recent }: SignalIds, chunk: ReadonlySet<string>): SignalIds {
  let greatest = newest;
  for (const id of recent) if (id > greatest) greatest = id;
  return { newest: greatest, recent: chunk };
}
