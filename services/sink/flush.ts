import type { Assignment, StoredRecord } from '../../platform/event-log/port.ts';
import { recordDigest } from '../../platform/event-log/record-digest.ts';
import type { AuditRow, ContradictionRow, PositionRow } from '../../schemas/tables/tables.ts';
import { winningRows } from './audit-rows.ts';
import type { FlushCrashPoint, FlushStep } from './crash-points.ts';
import type { Flushable } from './flush-queue.ts';
import { type Folded, type FoldRows, foldBatch } from './fold/fold-batch.ts';
import type { FoldRefused } from './fold/fold-refused.ts';
import type { Head } from './fold/rows.ts';
import { type LedgerPiece, lookUp } from './lookups.ts';
import type { SinkStore, SinkTable } from './store.ts';

interface FlushUnitBase extends Flushable {
  /** What the unit's records were taken under. */
  readonly assignment: Assignment;
  /** The unit's records as the log holds them, at least one. */
  readonly sources: readonly StoredRecord[];
}

/** Records of one ledger partition. */
export interface LedgerUnit extends FlushUnitBase, LedgerPiece {
  readonly kind: 'ledger';
}

/** Records of one partition of the topics that audits travel through. */
export interface AuditUnit extends FlushUnitBase {
  readonly kind: 'audits';
  readonly rows: readonly AuditRow[];
}

export type FlushUnit = LedgerUnit | AuditUnit;

/** What a flush did of a unit. Rows are stored; the caller commits. */
export interface UnitOutcome {
  /** New heads of the customers in the unit. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Audits whose acceptance the list shows from now on. */
  readonly listed: readonly { readonly customerId: string; readonly auditId: string }[];
  /** Audits whose final state is stored. */
  readonly final: readonly string[];
  readonly refused: FoldRefused | null;
  /** Records that repeat an entry with another content. */
  readonly contradictions: readonly ContradictionRow[];
}

export interface FlushMetrics {
  flush?(rows: number, durationMs: number): void;
  repeats?(records: number): void;
}

export interface FlushParts {
  readonly store: SinkStore;
  readonly epoch: number;
  readonly now: () => number;
  readonly crashPoint: (point: FlushCrashPoint) => void;
  readonly metrics: FlushMetrics;
}

/**
 * One flush: look up, fold, insert, each step answered before the next begins. Every row is a function of the log
 * alone, so whatever a crash or a paused former owner leaves half-done is written again, byte for byte.
 */
export async function flush(units: readonly FlushUnit[], parts: FlushParts): Promise<UnitOutcome[]> {
  const startedAt = parts.now();
  assertWhole(units);
  const folds = await foldUnits(units, parts);
  const rows = [...folds.values()].map((folded) => folded.rows);
  const collect = <Row>(of: (one: FoldRows) => readonly Row[]): Row[] => rows.flatMap((one) => [...of(one)]);
  const audits = winningRows([
    ...units.flatMap((unit) => (unit.kind === 'audits' ? unit.rows : [])),
    ...collect((one) => one.audits),
  ]);

  // 1. Content first: an index in the chain whose content never came would be MISSING for every verification.
  await insertStep('content', parts, [
    ['signals', collect((one) => one.signals)],
    ['entries', collect((one) => one.entries)],
  ]);
  // 2. Ids before the chain: an entry in the chain without its id would be taken as new when it is repeated, and would
  // get a second index. An id without its entry is harmless, because lookups are bounded by the position.
  await insertStep('ledger_ids', parts, [['ledger_ids', collect((one) => one.ledgerIds)]]);
  // 3. The chain, before anything that refers to its indexes.
  await insertStep('ledger', parts, [
    ['ledger', collect((one) => one.ledger)],
    ['contradictions', [...folds.values()].flatMap(({ contradictions }) => contradictions)],
  ]);
  // 4. Tombstones after it: a blank row whose ERASURE is not in the chain would look like tampering.
  await insertStep('tombstones', parts, [
    ['signals', collect((one) => one.signalTombstones)],
    ['entries', collect((one) => one.entryTombstones)],
  ]);
  // 5. The list last of the content, so that an audit shown as completed has its signal.
  await insertStep('audits', parts, [['audits', audits]]);
  // 6. Positions after all of it: the other way round, a crash in between would skip records for ever.
  const positions = units.flatMap((unit, i) => positionOf(unit, folds.get(i), parts.epoch));
  await insertStep('positions', parts, [['positions', positions]]);
  // 7. The caller commits the group's offset: a hint, lost without harm.

  const count = rows.reduce((sum, one) => sum + one.ledger.length, audits.length);
  parts.metrics.flush?.(count, parts.now() - startedAt);
  return units.map((unit, i) => outcomeOf(unit, folds.get(i)));
}

/** One unit of a partition, its records in order and all of its assignment's partition: lookups and positions rely on it. */
function assertWhole(units: readonly FlushUnit[]): void {
  const places = new Set<string>();
  for (const { place, assignment, sources } of units) {
    if (places.has(place)) throw new Error(`a flush holds two units of ${place}`);
    places.add(place);
    const { topic, partition } = assignment;
    let last = -1;
    for (const source of sources) {
      if (source.topic !== topic || source.partition !== partition || source.offset <= last) {
        throw new Error(
          `a unit of ${topic}/${partition} holds records of another partition, or in another order`,
        );
      }
      last = source.offset;
    }
    if (sources.length === 0 || place !== `${topic}/${partition}`)
      throw new Error(`an empty unit, or not of ${place}`);
  }
}

/** Unit's place in the flush -> its fold. */
async function foldUnits(units: readonly FlushUnit[], parts: FlushParts): Promise<Map<number, Folded>> {
  const pieces = units.flatMap((unit, i) => (unit.kind === 'ledger' ? [{ unit, i }] : []));
  if (pieces.length === 0) return new Map();
  const found = await lookUp(
    parts.store,
    parts.epoch,
    pieces.map(({ unit }) => unit),
  );
  const folds = new Map<number, Folded>();
  for (const [n, { unit, i }] of pieces.entries()) {
    // Each takes milliseconds, and others live on the same event loop.
    if (n > 0) await new Promise(setImmediate);
    const folded = foldBatch({ epoch: parts.epoch, records: unit.records, ...found[n]! });
    parts.metrics.repeats?.(folded.repeats);
    folds.set(i, folded);
  }
  return folds;
}

async function insertStep(
  step: FlushStep,
  { store, crashPoint }: FlushParts,
  inserts: readonly (readonly [SinkTable, readonly object[]])[],
): Promise<void> {
  const filled = inserts.filter(([, rows]) => rows.length > 0);
  crashPoint(`before-${step}`);
  // All answers are awaited, also after a failure: an insert still under way must not outlive its flush.
  const results = await Promise.allSettled(filled.map(([table, rows]) => store.insert(table, rows)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  crashPoint(`after-${step}`);
}

/** Where the partition stands after the unit; nothing when not even its first record could be folded. */
function positionOf(unit: FlushUnit, folded: Folded | undefined, epoch: number): PositionRow[] {
  const last = unit.sources[(folded?.taken ?? unit.sources.length) - 1];
  return last === undefined ? [] : [positionBehind(last, epoch)];
}

/** Where a partition stands when everything up to `last` is stored. */
export function positionBehind(last: StoredRecord, epoch: number): PositionRow {
  return {
    epoch,
    topic: last.topic,
    partition: last.partition,
    // Not the batch's next offset, which may lie behind a gap: the record before it is read again at the next start.
    nextOffset: last.offset + 1,
    lastDigest: recordDigest(last),
    lastAt: new Date(last.timestamp).toISOString(),
  };
}

function outcomeOf(unit: FlushUnit, folded: Folded | undefined): UnitOutcome {
  const rows = unit.kind === 'audits' ? unit.rows : (folded?.rows.audits ?? []);
  return {
    heads: folded?.heads ?? new Map(),
    // An ingested audit is listed by its acceptance, one made by the platform by its signal.
    listed: rows.filter((row) => row.status === 'QUEUED' || row.source === 'INTERNAL'),
    final: rows.filter(isFinal).map((row) => row.auditId),
    refused: folded?.refused ?? null,
    contradictions: folded?.contradictions ?? [],
  };
}

const isFinal = ({ status }: AuditRow): boolean => status === 'COMPLETED' || status === 'FAILED';
