import type { Assignment, StoredRecord } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import type { AuditRow, ContradictionRow, PositionRow } from '#schemas/tables/tables.ts';
import { type Folded, foldBatch, type OwnedEntry } from '../fold/fold-batch.ts';
import type { FoldRefused } from '../fold/fold-refused.ts';
import type { FoldRows } from '../fold/fold-rows.ts';
import type { Head } from '../fold/rows.ts';
import { winningRows } from '../rows/audit-rows.ts';
import { NO_SIGNALS, type SignalIds, withChunk } from '../rows/signal-ids.ts';
import type { Flushable } from './flush-queue.ts';
import { type LedgerChunk, lookUp } from './lookups.ts';
import type { SinkStore, SinkTable } from './store.ts';

interface FlushUnitBase extends Flushable {
  /** The assignment under which the records were read. */
  readonly assignment: Assignment;
  /** The records as the log holds them, at least one. */
  readonly sources: readonly StoredRecord[];
}

/** Records of one ledger partition. */
interface LedgerUnit extends FlushUnitBase, LedgerChunk {
  readonly kind: 'ledger';
}

/** Records of one partition of the topics that carry audits. */
interface AuditUnit extends FlushUnitBase {
  readonly kind: 'audits';
  readonly rows: readonly AuditRow[];
}

export type FlushUnit = LedgerUnit | AuditUnit;

/** The result of a flush for one unit. Its rows are stored; the caller commits. */
export interface UnitOutcome {
  /** New heads of the customers in the unit. */
  readonly heads: ReadonlyMap<string, Head>;
  /** Audits that appear in the list from now on, as accepted. */
  readonly listed: readonly { readonly customerId: string; readonly auditId: string }[];
  /** Audits whose final state is stored. */
  readonly final: readonly string[];
  readonly refused: FoldRefused | null;
  /** Records that repeat an entry's id with different content. */
  readonly contradictions: readonly ContradictionRow[];
}

export interface FlushMetrics {
  flush?(rows: number, durationMs: number): void;
  repeats?(records: number): void;
}

/** Resolves when the folded entries are in the log, for its consumers. */
export type Publish = (entries: readonly OwnedEntry[]) => Promise<void>;

interface FlushDependencies {
  readonly store: SinkStore;
  /**
   * Rejects when the folded records must not be stored. Runs concurrently with the look-ups, and is awaited before any
   * insert.
   */
  readonly assertMayStore: (folded: readonly StoredRecord[]) => Promise<unknown>;
  readonly publish: Publish;
  readonly epoch: number;
  readonly now: () => number;
  readonly probe: Probe | undefined;
  readonly metrics: FlushMetrics;
  readonly stages?: StageMetrics | undefined;
}

/**
 * One flush: check, look up, fold, insert; each step completes before the next starts. Every row is a function of the
 * log alone, so whatever a crash or a paused former owner leaves half-done is written again, byte for byte.
 */
export async function flush(
  units: readonly FlushUnit[],
  dependencies: FlushDependencies,
): Promise<UnitOutcome[]> {
  const startedAt = dependencies.now();
  assertWhole(units);
  const sources = units.flatMap((unit) => (unit.kind === 'ledger' ? unit.sources : []));
  const [folds] = await Promise.all([foldUnits(units, dependencies), dependencies.assertMayStore(sources)]);
  const rows = [...folds.values()].map((folded) => folded.rows);
  const collect = <Row>(of: (one: FoldRows) => readonly Row[]): Row[] => rows.flatMap((one) => [...of(one)]);
  const audits = winningRows([
    ...units.flatMap((unit) => (unit.kind === 'audits' ? unit.rows : [])),
    ...collect((one) => one.audits),
  ]);

  // 1. Content and ids before the chain, in any order. If the chain had an index without content, every verification
  //    would report MISSING. If it had an entry without its id, a repeat of that entry would be taken for a new one and
  //    get a second index. An id without its entry is harmless, because lookups are bounded by the position.
  await insertStep('content', dependencies, [
    ['signals', collect((one) => one.signals)],
    ['entries', collect((one) => one.entries)],
    ['ledger_ids', collect((one) => one.ledgerIds)],
  ]);
  // 2. The chain, before anything that refers to its indexes.
  await insertStep('ledger', dependencies, [
    ['ledger', collect((one) => one.ledger)],
    ['contradictions', [...folds.values()].flatMap(({ contradictions }) => contradictions)],
  ]);
  // 3. Tombstones after the chain: a blank row whose ERASURE is not in the chain would look like tampering.
  await insertStep('tombstones', dependencies, [
    ['signals', collect((one) => one.signalTombstones)],
    ['entries', collect((one) => one.entryTombstones)],
  ]);
  // 4. The list after all content, so that an audit listed as completed has its signal.
  await insertStep('audits', dependencies, [['audits', audits]]);
  // 5. Folded entries are published once all of them can be read, and before the positions: after them, a crash in
  //    between would hide a customer's last entries from all consumers. A retry publishes the same records again.
  dependencies.probe?.('sink.before-publish');
  await dependencies.publish([...folds.values()].flatMap(({ entries }) => entries));
  dependencies.probe?.('sink.after-publish');
  // 6. Positions after everything else: before it, a crash in between would skip records forever.
  const positions = units.flatMap((unit, i) => positionOf(unit, folds.get(i), dependencies.epoch));
  await insertStep('positions', dependencies, [['positions', positions]]);
  // 7. The caller commits the group's offset: only a hint, harmless to lose.

  const count = rows.reduce((sum, one) => sum + one.ledger.length, audits.length);
  dependencies.metrics.flush?.(count, dependencies.now() - startedAt);
  return units.map((unit, i) => outcomeOf(unit, folds.get(i)));
}

/**
 * Each unit holds records of one partition, in order, all from its assignment's partition: lookups and positions rely
 * on it.
 */
function assertWhole(units: readonly FlushUnit[]): void {
  const seen = new Set<string>();
  for (const { topicPartition, assignment, sources } of units) {
    if (seen.has(topicPartition)) throw new Error(`a flush contains two units for ${topicPartition}`);
    seen.add(topicPartition);
    const { topic, partition } = assignment;
    let last = -1;
    for (const source of sources) {
      if (source.topic !== topic || source.partition !== partition || source.offset <= last) {
        throw new Error(`a unit for ${topic}/${partition} has records of another partition, or out of order`);
      }
      last = source.offset;
    }
    if (sources.length === 0 || topicPartition !== `${topic}/${partition}`)
      throw new Error(`the unit is empty, or not for ${topicPartition}`);
  }
}

/** Index of the unit in the flush -> its fold. */
async function foldUnits(
  units: readonly FlushUnit[],
  dependencies: FlushDependencies,
): Promise<Map<number, Folded>> {
  const chunks = units.flatMap((unit, i) => (unit.kind === 'ledger' ? [{ unit, i }] : []));
  if (chunks.length === 0) return new Map();
  const found = await lookUp(
    dependencies.store,
    dependencies.epoch,
    chunks.map(({ unit }) => unit),
  );
  const folds = new Map<number, Folded>();
  for (const [n, { unit, i }] of chunks.entries()) {
    // Each fold takes milliseconds, and other work shares the event loop.
    if (n > 0) await new Promise(setImmediate);
    const startedMs = performance.now();
    const folded = foldBatch({ epoch: dependencies.epoch, records: unit.records, ...found[n]! });
    dependencies.stages?.ended('fold', unit.records.length, performance.now() - startedMs);
    dependencies.metrics.repeats?.(folded.repeats);
    folds.set(i, { ...folded, heads: withSignals(folded, unit.records, found[n]!.heads) });
  }
  return folds;
}

/** The new heads of a chunk, with what is known of each customer's signals after it. */
function withSignals(
  { heads, taken }: Folded,
  records: LedgerChunk['records'],
  before: ReadonlyMap<string, Head>,
): Map<string, Head> {
  const chunk = new Map<string, Set<string>>();
  for (const { entry } of records.slice(0, taken)) {
    if (entry.kind !== 'SIGNAL') continue;
    const ids = chunk.get(entry.customerId);
    if (ids === undefined) chunk.set(entry.customerId, new Set([entry.id]));
    else ids.add(entry.id);
  }
  const known = (customerId: string): SignalIds | undefined => {
    const head = before.get(customerId);
    const signals = head === undefined ? NO_SIGNALS : head.signals;
    const ids = chunk.get(customerId);
    return signals === undefined || ids === undefined ? signals : withChunk(signals, ids);
  };
  return new Map([...heads].map(([id, head]) => [id, { ...head, signals: known(id) }]));
}

async function insertStep(
  step: 'content' | 'ledger' | 'tombstones' | 'audits' | 'positions',
  { store, probe }: FlushDependencies,
  inserts: readonly (readonly [SinkTable, readonly object[]])[],
): Promise<void> {
  const filled = inserts.filter(([, rows]) => rows.length > 0);
  probe?.(`sink.before-${step}`);
  // Waits for all inserts even after a failure: an insert in flight must not outlive its flush.
  const results = await Promise.allSettled(filled.map(([table, rows]) => store.insert(table, rows)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  probe?.(`sink.after-${step}`);
}

/** The partition's position after the unit; none if not even its first record could be folded. */
function positionOf(unit: FlushUnit, folded: Folded | undefined, epoch: number): PositionRow[] {
  const last = unit.sources[(folded?.taken ?? unit.sources.length) - 1];
  return last === undefined ? [] : [positionAfter(last, epoch)];
}

/** A partition's position once everything up to `last` is stored. */
export function positionAfter(last: StoredRecord, epoch: number): PositionRow {
  return {
    epoch,
    topic: last.topic,
    partition: last.partition,
    // Not the batch's next offset, which may be after a gap: the record before it is read again at the next start.
    nextOffset: last.offset + 1,
    lastDigest: recordDigest(last),
    lastAt: new Date(last.timestamp).toISOString(),
  };
}

function outcomeOf(unit: FlushUnit, folded: Folded | undefined): UnitOutcome {
  const rows = unit.kind === 'audits' ? unit.rows : (folded?.rows.audits ?? []);
  return {
    heads: folded?.heads ?? new Map(),
    // An ingested audit is listed when it is accepted, an audit made by the platform when its signal is.
    listed: rows.filter((row) => row.status === 'QUEUED' || row.source === 'INTERNAL'),
    final: rows.filter(isFinal).map((row) => row.auditId),
    refused: folded?.refused ?? null,
    contradictions: folded?.contradictions ?? [],
  };
}

const isFinal = ({ status }: AuditRow): boolean => status === 'COMPLETED' || status === 'FAILED';
