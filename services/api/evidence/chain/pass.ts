import { setImmediate as turn } from 'node:timers/promises';
import {
  type ChainVerification,
  type ChainVerifier,
  createVerifier,
  type SignedTree,
  type VerifyOptions,
} from '#core/evidence/verify/verify.ts';
import { unavailable } from '#platform/flow/refusal.ts';
import { type Warehouse, WarehouseDamaged } from '#platform/warehouse/port.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { auditsWithContent } from '#platform/warehouse/queries/evidence/returned.ts';
import {
  entryRows,
  erasureRows,
  ledgerHead,
  ledgerRows,
  signalRows,
} from '#platform/warehouse/queries/ledger.ts';
import { subtreesWithin } from '#platform/warehouse/queries/trees.ts';
import { foldedPosition } from '#records/retention/stored-erasures.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';
import type { CustomerSemaphore } from '../../operations/limits/customer-semaphore.ts';
import { orNull, readAround } from './damaged-range.ts';

/** Entries of a customer's ledger to verify in one pass. */
export interface LedgerPass {
  readonly customerId: string;
  readonly from: number;
  /** Last index; null: up to the last entry, including any rows after it. */
  readonly to: number | null;
  /** The last checkpoint, read before anything else; only for a pass up to the last entry. */
  readonly signed?: SignedTree | null;
}

export interface PassWatch {
  /** Fires when the outcome is no longer needed. */
  readonly gone: AbortSignal;
  /** Called with the number of entries verified so far. */
  readonly onProgress?: (checkedEntries: number) => void;
}

/** Where entries are verified: on this thread, or on a separate one. */
export interface LedgerPasses {
  run(pass: LedgerPass, watch: PassWatch): Promise<ChainVerification>;
}

interface PassDependencies {
  readonly warehouse: Warehouse;
  /** End of the customer's partition of the ledger in the log. */
  readonly logEnd: (customerId: string) => Promise<number>;
  readonly chunks: CustomerSemaphore;
}

/** Entries per chunk: hashing a chunk blocks everything else on its thread, and two of them are in memory. */
const CHUNK_ENTRIES = 2_048;
/**
 * Maximum rows of one read of a table: content, a revision that blanks it, and copies not merged yet, four for each
 * entry of a chunk. The service never writes that many for one index.
 */
const MAX_ROWS = 8_192;
/** Maximum rows of erasures in one read: each may name thousands of signals. */
const MAX_ERASURE_ROWS = 1_024;

/**
 * Re-derives a customer's chain from stored rows. The order of reads matters, because the sink keeps writing: the
 * sink's position before the ledger, the ledger before the content (the sink stores them in the opposite order), and
 * the end of the log last.
 */
export async function verifyPass(
  dependencies: PassDependencies,
  pass: LedgerPass,
  watch: PassWatch,
): Promise<ChainVerification> {
  const { warehouse } = dependencies;
  const { customerId, from, signed } = pass;
  const options: MutableOptions = { customerId };
  if (signed && pass.to === null) options.signed = signed;
  const folded = await foldedPosition(warehouse, customerId);
  if (folded !== null) options.foldedBelow = folded;
  const head = (await ledgerHead(warehouse, customerId)) ?? -1;
  if (pass.to === null) options.head = head;
  const before = from > 0 ? await orNull(entryBefore(warehouse, pass)) : null;
  if (from > 0) options.previous = before ?? { index: from - 2, hash: '', ...NOWHERE };
  const verifier = createVerifier(options);
  if (from > 0 && before === null) verifier.damaged(from - 1, from - 1);
  await readErasures(warehouse, { customerId, head }, verifier);
  await readChunks(dependencies, { ...pass, head }, verifier, watch);
  // An erasure may have been folded since they were read: it reaches the ledger before any row is blanked.
  if (verifier.unexplained() > 0) await readErasures(warehouse, { customerId, head }, verifier);
  // Checked by `finish`: only now is the end known to be above the record of every row.
  const end = await logEnd(dependencies, customerId);
  if (end !== null) options.logEnd = end;
  return verifier.finish();
}

type MutableOptions = { -readonly [Name in keyof VerifyOptions]: VerifyOptions[Name] };
type Previous = NonNullable<VerifyOptions['previous']>;

/** Below every record: the predecessor of a missing entry has no position. */
const NOWHERE = { epoch: -1, partition: 0, offset: -1 };

/** The entry before the pass. If it is missing, its successor cannot link to it. */
async function entryBefore(warehouse: Warehouse, { customerId, from }: LedgerPass): Promise<Previous> {
  const index = from - 1;
  const [row] = await ledgerRows(warehouse, customerId, { from: index, to: index, limit: 1 });
  return row ?? { index, hash: '', ...NOWHERE };
}

type LogPosition = NonNullable<VerifyOptions['foldedBelow']>;

/** A position above all records of the customer. */
async function logEnd(dependencies: PassDependencies, customerId: string): Promise<LogPosition | null> {
  const current = await warehouseEpoch(dependencies.warehouse);
  if (current === null) return null;
  return { epoch: current.epoch, offset: await dependencies.logEnd(customerId) };
}

/** All erasures; if some cannot be read, those of the readable blocks. */
async function readErasures(
  warehouse: Warehouse,
  { customerId, head }: { readonly customerId: string; readonly head: number },
  verifier: ChainVerifier,
): Promise<void> {
  const read = async (first: number, to: number | null): Promise<true> => {
    for (let from: number | null = first; from !== null; ) {
      const page: Awaited<ReturnType<typeof erasureRows>> = await erasureRows(warehouse, customerId, {
        from,
        to,
        limit: MAX_ERASURE_ROWS,
      });
      verifier.erasures(page.ledger, page.entries);
      from = page.next;
    }
    return true;
  };
  if ((await orNull(read(0, null))) !== null) return;
  verifier.lacksErasures();
  for (let from = 0; from <= head; from += CHUNK_ENTRIES)
    await orNull(read(from, Math.min(head, from + CHUNK_ENTRIES - 1)));
}

/**
 * Chunks end at multiples of their size, so subtrees lie within one; a chunk with too many rows ends earlier. While one
 * is hashed, the engine already reads the next.
 */
async function readChunks(
  { warehouse, chunks }: PassDependencies,
  { customerId, from: first, to, head }: LedgerPass & { readonly head: number },
  verifier: ChainVerifier,
  { gone, onProgress }: PassWatch,
): Promise<void> {
  const last = to === null ? head : Math.min(to, head);
  const read = (from: number | null): Promise<Chunk> | null => {
    if (from === null) return null;
    const range = { from, last, isOpen: to === null };
    const chunk = readChunk(warehouse, customerId, range).catch((error: unknown) => {
      if (error instanceof WarehouseDamaged) return readDamaged(warehouse, customerId, range);
      throw error;
    });
    // The caller that awaits it sees an outage; a pass that was given up meanwhile does not.
    chunk.catch(() => undefined);
    return chunk;
  };
  for (let next = read(first); next !== null; ) {
    if (gone.aborted) throw unavailable(new Error('the verification was canceled'));
    const current = next;
    await chunks.during(customerId, { gone }, async () => {
      const { end, next: following, damaged, ...rows } = await current;
      next = read(following);
      const erased = verifier.erasedAudits(rows.ledger);
      const served = await orNull(auditsWithContent(warehouse, customerId, erased));
      verifier.chunk({ ...rows, servedAudits: new Set(served ?? []) });
      if (damaged !== undefined) verifier.damaged(damaged.from, damaged.to);
      if (end >= last && verifier.isOverrun()) next = null;
      onProgress?.(Math.max(0, Math.min(end, last) + 1 - first));
      await turn();
    });
  }
}

type Chunk = Parameters<ChainVerifier['chunk']>[0] & {
  /** Last index of the chunk; infinite: it contains everything stored from its first index on. */
  readonly end: number;
  /** First index of the next chunk; null: none. */
  readonly next: number | null;
  /** The unreadable range after the chunk's rows: `end` is its last index. */
  readonly damaged?: { readonly from: number; readonly to: number };
};

interface ChunkRange {
  readonly from: number;
  /** Last entry of the pass. */
  readonly last: number;
  /** Content after the last entry is read too, because the pass ends where the ledger does. */
  readonly isOpen: boolean;
}

/**
 * Reads up to the next multiple of the chunks' size, or to the last index with all of its rows read. So a read is
 * bounded and makes progress, whatever was inserted outside the service.
 */
async function readChunk(warehouse: Warehouse, customerId: string, range: ChunkRange): Promise<Chunk> {
  const { from, last, isOpen } = range;
  const { ledger, upTo } = await readEntries(warehouse, customerId, range);
  const skeleton = wholeRows(ledger, from);
  const isLast = upTo === last && skeleton.end === Number.POSITIVE_INFINITY;
  const to = isLast && isOpen ? null : Math.min(upTo, skeleton.end);
  const [signals, entries, subtrees] = await Promise.all([
    signalRows(warehouse, customerId, { from, to, limit: MAX_ROWS }),
    entryRows(warehouse, customerId, { from, to, limit: MAX_ROWS }),
    subtreesWithin(warehouse, customerId, from, upTo + 1),
  ]);
  const contents = [wholeRows(signals, from), wholeRows(entries, from)];
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, ...contents.map((content) => content.end));
  const isWithin = ({ index }: { readonly index: number }): boolean => index <= end;
  const isDone = isOpen ? end === Number.POSITIVE_INFINITY : end >= last;
  return {
    ledger: ledger.filter(isWithin),
    signals: signals.filter(isWithin),
    entries: entries.filter(isWithin),
    subtrees,
    cut: skeleton.isCut ? 'LEDGER' : contents.some(({ isCut }) => isCut) ? 'CONTENT' : null,
    end,
    // An index too large to increment ends the pass too.
    next: isDone || end + 1 <= from ? null : end + 1,
  };
}

/** For a chunk that cannot be read as a whole: its readable start, and where the damage ends. */
async function readDamaged(
  warehouse: Warehouse,
  customerId: string,
  { from, last }: ChunkRange,
): Promise<Chunk> {
  // Content after the last entry, where no entry is left.
  if (last < from) return { ...NO_ROWS, end: from, next: null, damaged: { from, to: from } };
  const upTo = chunkEnd(from, last);
  const read = (first: number, to: number): Promise<Chunk> =>
    readChunk(warehouse, customerId, { from: first, last: to, isOpen: false });
  const { before, damagedFrom, damagedTo } = await readAround(from, upTo, read);
  // The read stopped at its maximum number of rows; the rest is read next.
  if (before !== null && before.end < damagedFrom - 1) return before;
  const next = damagedTo >= last ? null : damagedTo + 1;
  return { ...(before ?? NO_ROWS), end: damagedTo, next, damaged: { from: damagedFrom, to: damagedTo } };
}

const NO_ROWS = { ledger: [], signals: [], entries: [] } as const;

const chunkEnd = (from: number, last: number): number =>
  Math.min((Math.floor(from / CHUNK_ENTRIES) + 1) * CHUNK_ENTRIES - 1, last);

/** The ledger's rows of a chunk, and the last index requested, which is below `from` if no entry is left. */
async function readEntries(
  warehouse: Warehouse,
  customerId: string,
  { from, last }: ChunkRange,
): Promise<{ readonly ledger: LedgerRow[]; readonly upTo: number }> {
  const upTo = chunkEnd(from, last);
  if (upTo < from) return { ledger: [], upTo };
  const ledger = await ledgerRows(warehouse, customerId, { from, to: upTo, limit: MAX_ROWS });
  if (ledger.length > 0 || upTo === last) return { ledger, upTo };
  // A row at an index far beyond the ledger must not cost a read for each chunk in between.
  const [following] = await ledgerRows(warehouse, customerId, { from: upTo + 1, to: last, limit: 1 });
  return { ledger, upTo: following === undefined ? last : following.index - 1 };
}

/**
 * The last index with all of its rows. A full read may lack rows of its last index; if that is also its first index,
 * the rows are cut.
 */
function wholeRows(
  rows: readonly { readonly index: number }[],
  from: number,
): { readonly end: number; readonly isCut: boolean } {
  const broken = rows.length < MAX_ROWS ? Number.POSITIVE_INFINITY : rows.at(-1)!.index;
  return broken > from ? { end: broken - 1, isCut: false } : { end: from, isCut: true };
}
