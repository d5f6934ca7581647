import { AppendError, AppendFailure, type StoredRecord } from '#platform/event-log/port.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { type FoundAudit, findAudit } from '#platform/warehouse/queries/audits.ts';
import { countDeadLetters, listDeadLetters } from '#platform/warehouse/queries/dead-letters.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { type AuditRun, type Replayer, type ReplayMarks, replayMarks } from '#records/audits/replay-marks.ts';
import { replayedRecord } from '#records/audits/replayed-record.ts';
import { signalErasure } from '#records/retention/signal-erasure.ts';
import { ITEMS_PER_RATE_TOKEN } from '#schemas/api/audit-batch.ts';
import type { BodyOf } from '#schemas/api/contract.ts';
import {
  MAX_REPLAYS_PER_CALL,
  type ReplayOutcome,
  type ReplayRefusal,
  type replayDeadLetters,
} from '#schemas/api/dead-letters.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import { DEAD_LETTERS } from '#schemas/topics.ts';
import type { Caller } from '../operations/caller.ts';
import type { ApiDependencies, RecordDependencies } from '../operations/dependencies.ts';
import type { Seed } from '../operations/ids.ts';
import { bucketOf, rateLimited, spend } from '../operations/limits/caller-rate.ts';
import type { Once } from '../operations/once.ts';
import { encodeCursor, pageStart, timeAndId } from '../operations/paging.ts';
import { filterOf, keyOfRow, positionOfKey } from './dead-letters.ts';

export type ReplayDependencies = RecordDependencies & Pick<ApiDependencies, 'warehouse' | 'log' | 'probe'>;

/** After this many failed replays another one does not help; the list of steps grows with each. */
const MAX_GENERATION = 100;
/** Records held in memory at a time, each of up to 4 MiB. */
const RECORDS_AT_ONCE = 16;
/** A call ends before the lease of its Idempotency-Key, so a repeat never runs at the same time. */
const MAX_CALL_MS = 20_000;

/** The caller, and the epoch of the log. */
interface Replay extends Replayer {
  readonly epoch: number | null;
}

type Fate = 'REPLAYED' | ReplayRefusal;

/** Replays the dead letter of one audit. 404 if the audit is unknown or did not fail. */
export function replayOne<Answered>(
  dependencies: ReplayDependencies,
  customerId: string,
  auditId: string,
  once: Once<ReplayOutcome, Answered>,
): Promise<Answered> {
  return once(async (seed) => {
    const row = isId(auditId) ? await findAudit(dependencies.warehouse, customerId, auditId, null) : null;
    if (row === null || row.erased) throw new Refusal('NOT_FOUND');
    const replay = await startReplay(dependencies, seed);
    const fate = await fateOf(dependencies, replay, row);
    if (fate === null) throw new Refusal('NOT_FOUND');
    return outcomeOf(1, [row], [fate], null);
  });
}

/** Null: the audit is not a dead letter. */
async function fateOf(
  dependencies: ReplayDependencies,
  replay: Replay,
  row: FoundAudit,
): Promise<Fate | null> {
  if (row.status === 'FAILED') return (await replayRows(dependencies, replay, [row]))[0] ?? null;
  if (await isOwnRun(dependencies, replay, row)) return 'REPLAYED';
  // The list shows a replay in progress; the answer is the same as before the list showed it.
  return row.status !== 'COMPLETED' && row.generation > 0 ? 'ALREADY_REPLAYED' : null;
}

/** True if this request started the row's run: its first attempt died before it could answer. */
async function isOwnRun(dependencies: ReplayDependencies, replay: Replay, row: FoundAudit): Promise<boolean> {
  if (row.generation === 0) return false;
  const mark = await replayMarks(dependencies.state.expiring, dependencies.now).get({
    ...row,
    generation: row.generation - 1,
  });
  return mark?.by === replay.by;
}

/**
 * Replays matching dead letters, newest first, so that audits that fail again meanwhile are not visited twice. Ends
 * when all were visited, at the limits of one call, or when the client has gone (`gone`); the cursor in the answer
 * continues from there.
 */
export function replayMatching<Answered>(
  dependencies: ReplayDependencies,
  caller: Caller,
  { filter: conditions, dryRun, cursor }: BodyOf<typeof replayDeadLetters>,
  gone: AbortSignal,
  once: Once<ReplayOutcome, Answered>,
): Promise<Answered> {
  const { customerId } = caller;
  return once(async (seed) => {
    const start = pageStart({ page: 1, limit: 1, cursor }, timeAndId);
    const after = start.after === null ? null : positionOfKey(start.after);
    const filter = await filterOf(dependencies, customerId, conditions);
    if (filter === null) throw new Refusal('SANDBOX_NOT_FOUND');
    const matched = await countDeadLetters(dependencies.warehouse, filter, after);
    if (dryRun) return outcomeOf(matched, [], [], null);
    // More than a full bucket can pay for would be refused however long the customer waits.
    const most = Math.min(MAX_REPLAYS_PER_CALL, ITEMS_PER_RATE_TOKEN * Math.max(1, bucketOf(caller).burst));
    const rows = await listDeadLetters(dependencies.warehouse, filter, { offset: 0, limit: most + 1, after });
    const size = Math.min(rows.length, most);
    await payFor(dependencies, caller, size);
    const replay = await startReplay(dependencies, seed);
    const deadline = performance.now() + MAX_CALL_MS;
    const fates: Fate[] = [];
    while (fates.length < size) {
      if (fates.length > 0 && (performance.now() > deadline || gone.aborted)) break;
      const next = rows.slice(fates.length, Math.min(fates.length + RECORDS_AT_ONCE, size));
      fates.push(...(await replayRows(dependencies, replay, next)));
    }
    const last = fates.length < rows.length ? rows[fates.length - 1] : undefined;
    const nextCursor =
      last === undefined ? null : encodeCursor({ page: start.page + 1, key: keyOfRow(last) });
    return outcomeOf(matched, rows, fates, nextCursor);
  });
}

/** Charges for a batch of this many triplets, in addition to the request itself. */
async function payFor(dependencies: ReplayDependencies, caller: Caller, items: number): Promise<void> {
  const extra = Math.ceil(items / ITEMS_PER_RATE_TOKEN) - 1;
  if (extra < 1) return;
  const rate = await spend(dependencies.state.admission, caller, extra);
  if (rate.retryAfterMs > 0) throw rateLimited(rate);
}

const startReplay = async (dependencies: ReplayDependencies, { id, at }: Seed): Promise<Replay> => ({
  by: id,
  at,
  epoch: (await warehouseEpoch(dependencies.warehouse))?.epoch ?? null,
});

function outcomeOf(
  matched: number,
  rows: readonly FoundAudit[],
  fates: readonly Fate[],
  nextCursor: string | null,
): ReplayOutcome {
  const skipped = fates.flatMap((fate, i) =>
    fate === 'REPLAYED' ? [] : [{ auditId: rows[i]!.auditId, reason: fate }],
  );
  return { matched, replayed: fates.length - skipped.length, skipped, nextCursor };
}

/**
 * Replays FAILED rows together; resolves to the outcome of each. Marks come before the append, so that two concurrent
 * requests append one record. After a failed append they are removed: a repeat that appends again does no harm, because
 * the first signal of an audit wins.
 */
async function replayRows(
  dependencies: ReplayDependencies,
  replay: Replay,
  rows: readonly FoundAudit[],
): Promise<Fate[]> {
  const marks = replayMarks(dependencies.state.expiring, dependencies.now);
  // All are read before the first is claimed, so an unresponsive log leaves no claims.
  const found = await Promise.all(rows.map((row) => find(dependencies, replay, row)));
  const decided = await Promise.all(
    found.map((one, i) =>
      typeof one === 'string' ? one : claim(dependencies, marks, replay, rows[i]!, one),
    ),
  );
  const claimed = decided.flatMap((one, i) =>
    typeof one === 'string' ? [] : [{ run: rows[i]!, record: one }],
  );
  if (claimed.length > 0) {
    const records = claimed.map(({ run, record }) => replayedRecord(record, run.generation + 1, replay.at));
    const error = await dependencies.log.append(records).then(
      () => null,
      (failure: unknown) => failure,
    );
    dependencies.probe?.('api.replay-appended');
    await Promise.all(
      claimed.map(({ run }, i) => (isAppended(error, i) ? marks.appended(run, replay) : marks.release(run))),
    );
    if (error !== null) throw error;
  }
  return decided.map((one) => (typeof one === 'string' ? one : 'REPLAYED'));
}

function isAppended(error: unknown, start: number): boolean {
  if (error === null) return true;
  return error instanceof AppendError && !(error.outcomes[start] instanceof AppendFailure);
}

/** The record to replay, or the reason why there is none. */
async function find(
  dependencies: ReplayDependencies,
  replay: Replay,
  row: FoundAudit,
): Promise<StoredRecord | Fate> {
  if (await isOwnRun(dependencies, replay, row)) return 'REPLAYED';
  if (row.failureCode === 'KEY_DESTROYED') return 'KEY_DESTROYED';
  if (row.generation >= MAX_GENERATION) return 'REPLAY_LIMIT';
  return (await recordOf(dependencies, replay.epoch, row)) ?? 'RECORD_GONE';
}

/** The record, if this request may append it. */
async function claim(
  { state }: Pick<ReplayDependencies, 'state'>,
  marks: ReplayMarks,
  replay: Replay,
  run: AuditRun,
  record: StoredRecord,
): Promise<StoredRecord | Fate> {
  const held = await marks.claim(run, replay);
  // Checked after the claim: an erasure claims the run too, before it is written, so one of the two sees the other.
  if ((await signalErasure(state.documents, run.customerId, run.auditId)) !== null) {
    if (held.by === replay.by) await marks.release(run);
    return 'ERASED';
  }
  if (held.by !== replay.by) return 'ALREADY_REPLAYED';
  return held.appended ? 'REPLAYED' : record;
}

/**
 * The dead-lettered record, or null if the log no longer holds it. Its audit is checked, because in a replaced log an
 * offset alone could point to another customer's record.
 */
async function recordOf(
  dependencies: ReplayDependencies,
  epoch: number | null,
  row: FoundAudit,
): Promise<StoredRecord | null> {
  if (row.topic !== DEAD_LETTERS.name || row.epoch !== epoch) return null;
  const record = await dependencies.log.read(row.topic, row.partition, row.offset);
  const { auditId, customerId } = record?.headers ?? {};
  return auditId === row.auditId && customerId === row.customerId ? record : null;
}
