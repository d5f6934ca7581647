import { Undecodable } from '../../platform/codec/port.ts';
import {
  type Assignment,
  type Batch,
  type EventLog,
  LogHole,
  type StoredRecord,
} from '../../platform/event-log/port.ts';
import { CannotOpen, MasterKeyMismatch } from '../../platform/sealing/port.ts';
import type { Admission } from '../../platform/state/port.ts';
import type { ProcessContext } from '../../platform/stream/outcome.ts';
import { type LedgerEntry, MAX_ERASURE_TARGETS } from '../../schemas/events/events.ts';
import { DEAD_LETTERS, LEDGER, RETRY_1, RETRY_2, TRIPLETS } from '../../schemas/topics.ts';
import { auditRow } from './audit-rows.ts';
import type { FlushCrashPoint } from './crash-points.ts';
import { type FlushMetrics, type FlushUnit, flush, positionBehind, type UnitOutcome } from './flush.ts';
import { createFlushQueue, FLUSH_LIMITS, type FlushLimits } from './flush-queue.ts';
import { FoldRefused } from './fold/fold-refused.ts';
import type { LedgerRecord, OpenedDetail } from './fold/ledger-record.ts';
import { createHeadCache } from './head-cache.ts';
import { erasureTargets } from './lookups.ts';
import { createSkips, type SkipParts } from './skips.ts';
import { assertEpoch, startPosition } from './start-position.ts';
import type { SinkStore } from './store.ts';

export const SINK_GROUP = 'sink';

/** Topics that the sink reads. */
export const SINK_TOPICS: readonly string[] = [TRIPLETS, RETRY_1, RETRY_2, DEAD_LETTERS, LEDGER].map(
  (topic) => topic.name,
);

export interface SinkMetrics extends FlushMetrics {
  /** Records of the audit topics whose headers could not be read. */
  unreadable?(topic: string, records: number): void;
}

export interface SinkOptions {
  readonly log: Pick<EventLog, 'read' | 'bounds'>;
  /** `warehouseStore(warehouse)`. */
  readonly store: SinkStore;
  readonly admission: Pick<Admission, 'removePendingMarks'>;
  /** Throws `Undecodable`. */
  readonly decodeLedgerEntry: (value: Buffer) => LedgerEntry | Promise<LedgerEntry>;
  /** Rejects with `CannotOpen`, or with an outage. */
  readonly openDetail: (entry: LedgerEntry) => Promise<OpenedDetail>;
  /** The log's epoch, as state and warehouse agreed on it at the start. */
  readonly epoch: number;
  /** What an operator has decided about a place of the log, if anything; without it no loss is ever accepted. */
  readonly acceptedLoss?: SkipParts['acceptedLoss'];
  readonly now: () => number;
  readonly logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  readonly metrics?: SinkMetrics;
  readonly limits?: Partial<FlushLimits>;
  readonly crashPoint?: (point: FlushCrashPoint) => void;
  /** Told of audits whose final state is stored, for whoever waits for it in this process. */
  readonly onFinal?: (auditIds: readonly string[]) => void;
  /** Told after records were noted that repeat an entry with another content. */
  readonly onContradictions?: () => void;
}

/** What a batch is taken under: its assignment, and the signal that says that this is lost. */
export type TakenUnder = Pick<ProcessContext, 'assignment' | 'signal'>;

export interface Sink {
  /**
   * Offset to begin at. Rejects with `SinkRefused` when log and warehouse contradict each other, and with `LogHole` when
   * what should come next is gone.
   */
  onAssigned(assignment: Assignment): Promise<number>;
  /** First offset behind a hole whose loss was accepted, or null. */
  passHole(hole: LogHole): Promise<number | null>;
  /**
   * Resolves when every row of the batch is stored: then commit. Rejects with an outage (repeat the batch) or with
   * `FoldRefused` (stop; what lies before that record is stored). When the partition is lost, what waits for a flush
   * is withdrawn and what is being flushed is waited for: afterwards nothing of the batch is under way.
   */
  process(batch: Batch, under: TakenUnder): Promise<undefined>;
  /** Resolves when the next flush may begin. A partition that reads no sooner brings all that came until then. */
  rest(): Promise<void>;
}

/** The sink: batches of its topics become rows, all partitions together. */
export function createSink(options: SinkOptions): Sink {
  const { store, epoch, now } = options;
  const metrics = options.metrics ?? {};
  const heads = createHeadCache();
  const skips = createSkips({ store, epoch, acceptedLoss: options.acceptedLoss ?? (async () => null) });
  const marks = markRemover(options);
  const queue = createFlushQueue<FlushUnit, UnitOutcome>({
    now: () => performance.now(),
    limits: { ...FLUSH_LIMITS, ...options.limits },
    flush: async (units) => {
      const folded = units.flatMap(({ kind, sources }) => (kind === 'ledger' ? sources : []));
      await Promise.all([assertEpoch(store, epoch), folded.length === 0 ? null : skips.assertLeft(folded)]);
      return flush(units, {
        store,
        epoch,
        now,
        crashPoint: options.crashPoint ?? (() => undefined),
        metrics,
      });
    },
  });

  const processAudits = async (batch: Batch, { assignment, signal }: TakenUnder): Promise<void> => {
    const { topic, records, nextOffset, end } = batch;
    const rows = records.map((record) => auditRow(record, epoch)).filter((row) => row !== null);
    if (rows.length < records.length) {
      const unreadable = records.length - rows.length;
      metrics.unreadable?.(topic, unreadable);
      options.logger.warn({ topic, unreadable }, 'records whose headers name no audit are not listed');
    }
    const { listed, final } = await queue.add(
      {
        kind: 'audits',
        assignment,
        place: placeOf(batch),
        sources: records,
        size: records.length,
        behind: nextOffset < end,
        rows,
      },
      signal,
    );
    options.onFinal?.(final);
    await marks.remove(listed);
  };

  const storePiece = async (
    records: readonly OpenRecord[],
    behind: boolean,
    { assignment, signal }: TakenUnder,
  ): Promise<void> => {
    const sources = records.map(({ source }) => source);
    const { offset } = sources[0]!;
    const {
      heads: newHeads,
      listed,
      final,
      refused,
      contradictions,
    } = await queue.add(
      {
        kind: 'ledger',
        assignment,
        place: placeOf(assignment),
        sources,
        size: records.length,
        behind,
        records: records.map(({ record }) => record),
        cachedHeads: heads.at(assignment, offset),
      },
      signal,
    );
    options.onFinal?.(final);
    tellContradictions(contradictions, options);
    await marks.remove(listed);
    if (refused !== null) throw refused;
    heads.store(assignment, offset, sources.at(-1)!.offset + 1, newHeads);
  };

  const processLedger = async (batch: Batch, under: TakenUnder): Promise<void> => {
    try {
      const left = await skips.left(batch.records);
      const { records, refused } = await openRecords(left, options);
      const pieces = inPieces(records);
      for (const [n, piece] of pieces.entries()) {
        await storePiece(piece, n < pieces.length - 1 || batch.nextOffset < batch.end, under);
      }
      if (refused !== null) throw refused;
      // No piece ends with a record that is skipped, and the partition is done up to there all the same.
      const last = batch.records.at(-1)!;
      if (left.at(-1) !== last) await store.insert('positions', [positionBehind(last, epoch)]);
    } catch (error) {
      heads.forget(under.assignment);
      if (!(error instanceof FoldRefused)) throw error;
      const record = batch.records.find(({ offset }) => offset === error.offset);
      if (record === undefined || !(await skips.accept(record))) throw error;
      // Each time round one record more is skipped.
      await processLedger(batch, under);
    }
  };

  return {
    onAssigned: async (assignment) => {
      if (assignment.topic === LEDGER.name) heads.begin(assignment);
      // What another owner skipped must be known before the first record is folded.
      skips.forget();
      try {
        return await startPosition(assignment, options);
      } catch (error) {
        const past = error instanceof LogHole ? await skips.passHole(error) : null;
        if (past === null) throw error;
        return past;
      }
    },
    passHole: skips.passHole,
    process: async (batch, under) => {
      if (placeOf(batch) !== placeOf(under.assignment)) throw new Error('a batch of another assignment');
      await (batch.topic === LEDGER.name ? processLedger(batch, under) : processAudits(batch, under));
      return undefined;
    },
    rest: queue.due,
  };
}

const placeOf = ({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string => `${topic}/${partition}`;

/** Contradictions of a piece that are logged one by one; all of them are stored. */
const LOGGED_CONTRADICTIONS = 20;

function tellContradictions(
  contradictions: UnitOutcome['contradictions'],
  { logger, onContradictions }: SinkOptions,
): void {
  if (contradictions.length === 0) return;
  for (const { partition, offset, entryId } of contradictions.slice(0, LOGGED_CONTRADICTIONS))
    logger.error(
      { partition, offset, entryId, found: contradictions.length },
      'a ledger record repeats an entry with another content: a state older than the ledger was restored',
    );
  onContradictions?.();
}

interface OpenRecord {
  readonly source: StoredRecord;
  readonly record: LedgerRecord;
}

/** Decodes and opens records, up to the first one that cannot be. Outages are thrown. */
async function openRecords(
  sources: readonly StoredRecord[],
  { decodeLedgerEntry, openDetail }: Pick<SinkOptions, 'decodeLedgerEntry' | 'openDetail'>,
): Promise<{ readonly records: OpenRecord[]; readonly refused: FoldRefused | null }> {
  const opened = await Promise.all(
    sources.map(async (source): Promise<OpenRecord | FoldRefused> => {
      const { partition, offset, key, headers } = source;
      try {
        const entry = await decodeLedgerEntry(source.value);
        return {
          source,
          record: { partition, offset, key, headers, entry, detail: await openDetail(entry) },
        };
      } catch (error) {
        if (error instanceof Undecodable)
          return new FoldRefused(partition, offset, 'UNDECODABLE', error.message);
        // A key that does not unwrap may be one customer's, damaged: the other partitions find out by themselves.
        if (error instanceof CannotOpen || error instanceof MasterKeyMismatch)
          return new FoldRefused(partition, offset, 'SEALED', error.message);
        throw error;
      }
    }),
  );
  const records: OpenRecord[] = [];
  for (const one of opened) {
    if (one instanceof FoldRefused) return { records, refused: one };
    records.push(one);
  }
  return { records, refused: null };
}

/** Cuts a batch so that the ERASUREs of a piece name no more targets than one alone may: it bounds what is read. */
export function inPieces<One extends { readonly record: Pick<LedgerRecord, 'entry'> }>(
  records: readonly One[],
): One[][] {
  const pieces: One[][] = [];
  let piece: One[] = [];
  let targets = 0;
  for (const one of records) {
    const { kind, core } = one.record.entry;
    const more = kind === 'ERASURE' ? erasureTargets(core).length : 0;
    if (piece.length > 0 && targets + more > MAX_ERASURE_TARGETS) {
      pieces.push(piece);
      piece = [];
      targets = 0;
    }
    piece.push(one);
    targets += more;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** Marks that wait for another try; beyond that the oldest are left to expire by themselves. */
const MAX_MARKS = 50_000;

/**
 * Removes the marks by which an audit is visible before its row is. The rows are stored by then, so a state that
 * cannot be reached holds nothing up: the marks are removed with the next ones.
 */
function markRemover({ admission, logger }: Pick<SinkOptions, 'admission' | 'logger'>) {
  let left: UnitOutcome['listed'] = [];
  return {
    remove: async (listed: UnitOutcome['listed']): Promise<void> => {
      const marks = [...left, ...listed.map(({ customerId, auditId }) => ({ customerId, auditId }))];
      if (marks.length === 0) return;
      left = [];
      try {
        await admission.removePendingMarks(marks);
      } catch (err) {
        left = [...left, ...marks].slice(-MAX_MARKS);
        logger.warn({ err, marks: marks.length }, 'pending marks stay for now: the state did not answer');
      }
    },
  };
}
