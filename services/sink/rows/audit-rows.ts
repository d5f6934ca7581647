import type { StoredRecord } from '#platform/event-log/port.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';
import { COMPLETED_RANK, ERASED_RANK } from '#schemas/tables/audit-ranks.ts';
import type { AuditRow } from '#schemas/tables/tables.ts';
import { isTime } from '#schemas/time.ts';
import {
  type AuditHeaders,
  DEAD_LETTERS,
  type FailureHeaders,
  LEDGER,
  RETRY_1,
  RETRY_2,
  TRIPLETS,
} from '#schemas/topics.ts';
import type { AuditStatus, FailureCode } from '#schemas/vocabulary.ts';

/**
 * Rows of the audit list. Their topics have no mutual order, so the winning row is decided by a number in each record
 * itself: 10 x replay generation + stage. A replay ranks above everything in the run before it. The two retries have
 * separate stages, so that the later one wins although both say PROCESSING.
 */
const STAGES: Readonly<Record<string, { readonly stage: number; readonly status: AuditStatus }>> = {
  [TRIPLETS.name]: { stage: 1, status: 'QUEUED' },
  [RETRY_1.name]: { stage: 2, status: 'PROCESSING' },
  [RETRY_2.name]: { stage: 3, status: 'PROCESSING' },
  [DEAD_LETTERS.name]: { stage: 4, status: 'FAILED' },
};
export const FAILED_STAGE = 4;
/** Only an erased customer's key is ever destroyed. */
const KEY_DESTROYED: FailureCode = 'KEY_DESTROYED';
const MAX_GENERATION = COMPLETED_RANK / 10 - 1;

const OFFSET_BITS = 40n;
export const LAST_OFFSET = 2 ** 40 - 1;

/**
 * The version for ReplacingMergeTree: rank first, then the earlier offset, so that the first record of equal rank wins.
 * A decimal string, because it exceeds the safe integer range.
 */
export const auditVersion = (rank: number, offset: number): string =>
  String((BigInt(rank) << OFFSET_BITS) + (BigInt(LAST_OFFSET) - BigInt(offset)));

export const auditRank = (generation: number, stage: number): number => 10 * generation + stage;

/** Checked headers of an audit record; null when they do not name the audit and its customer. */
interface ReadHeaders extends Omit<AuditHeaders, 'generation' | 'attempt' | 'steps'> {
  readonly generation: number;
  readonly attempt: number;
  readonly steps: readonly unknown[];
}

export function readAuditHeaders(headers: Readonly<Record<string, string>>): ReadHeaders | null {
  const { auditId, customerId, acceptedAt, sandboxId, sandboxSlug, provider, model, source, schema } =
    headers as unknown as Partial<AuditHeaders>;
  if (!auditId || !customerId || !isTime(acceptedAt)) return null;
  const generation = wholeNumber(headers.generation);
  const attempt = wholeNumber(headers.attempt);
  const steps = jsonList(headers.steps);
  if (generation === null || generation > MAX_GENERATION || attempt === null || steps === null) return null;
  return {
    auditId,
    customerId,
    acceptedAt,
    sandboxId: sandboxId ?? '',
    sandboxSlug: sandboxSlug ?? '',
    provider: provider ?? '',
    model: model ?? '',
    source: source === 'INTERNAL' ? 'INTERNAL' : 'INGEST',
    schema: schema ?? '',
    generation,
    attempt,
    steps,
  };
}

type Position = Pick<AuditRow, 'topic' | 'epoch' | 'partition' | 'offset'>;

/** Row of a record in `audit.triplets`, a retry topic or the dead letters, or null when its headers are unreadable. */
export function auditRow(record: StoredRecord, epoch: number): AuditRow | null {
  const headers = readAuditHeaders(record.headers);
  const stage = STAGES[record.topic];
  if (headers === null || stage === undefined) return null;
  const isFailed = stage.status === 'FAILED';
  const { 'x-failure-code': failureCode } = record.headers as Partial<FailureHeaders>;
  // The customer was erased, and its rows may already be deleted: nothing that they named may come back.
  const isErased = isFailed && failureCode === KEY_DESTROYED;
  const state: State = {
    provider: isErased ? null : headers.provider,
    model: isErased ? null : headers.model,
    status: stage.status,
    // `attempt` is the number of the next analysis, in dead letters too.
    attempts: Math.min(0xffff, Math.max(0, headers.attempt - 1)),
    riskLevel: null,
    violations: [],
    failureCode: isFailed ? (failureCode ?? 'ANALYSIS_FAILED') : null,
    completedAt: isFailed ? new Date(record.timestamp).toISOString() : null,
    durationMs: null,
    steps: JSON.stringify(headers.steps),
  };
  const { topic, partition, offset } = record;
  const rank = auditRank(headers.generation, stage.stage);
  return rowOf(headers, rank, state, { topic, epoch, partition, offset });
}

/** Row of a folded SIGNAL entry of `customerId`; the record's `headers` were checked. */
export function completedRow(
  customerId: string,
  headers: Readonly<Record<string, string>>,
  core: SignalCore,
  position: Omit<Position, 'topic'>,
): AuditRow {
  const read = readAuditHeaders(headers);
  if (read === null) throw new Error('the headers of a signal must be checked before its rows are created');
  const { auditId, acceptedAt, sandboxId, sandboxSlug, source } = core;
  const { epoch, partition, offset } = position;
  const { generation } = read;
  // The platform may send signals with past dates; the audit still ends after it was accepted.
  const isOlder = source === 'INTERNAL' && core.createdAt < acceptedAt;
  const endedAt = isOlder ? acceptedAt : core.createdAt;
  const audit: Identity = { auditId, acceptedAt, sandboxId, sandboxSlug, customerId, generation, source };
  const state: State = {
    provider: core.provider,
    model: core.model,
    status: 'COMPLETED',
    attempts: core.attempts,
    riskLevel: core.riskLevel,
    violations: [...core.violations],
    failureCode: null,
    completedAt: endedAt,
    durationMs: core.durationMs,
    steps: JSON.stringify([...read.steps, { name: 'STORED', at: endedAt }]),
  };
  return rowOf(audit, COMPLETED_RANK, state, { topic: LEDGER.name, epoch, partition, offset });
}

/** The row that replaces a completed one after an ERASURE of scope ALL at `position`. */
export function erasedRow(
  completed: Omit<AuditRow, 'version'>,
  position: Omit<Position, 'topic' | 'partition'>,
): AuditRow {
  return {
    ...completed,
    rank: ERASED_RANK,
    version: auditVersion(ERASED_RANK, position.offset),
    provider: null,
    model: null,
    riskLevel: null,
    violations: [],
    erased: true,
    epoch: position.epoch,
    offset: position.offset,
  };
}

/**
 * The row of an audit that failed and was erased by the ERASURE at `position`, from that record's headers; null when
 * they describe no audit. It outranks anything from a replay that was still in progress.
 */
export function erasedFailedRow(
  customerId: string,
  headers: Readonly<Record<string, string>>,
  { epoch, partition, offset }: Omit<Position, 'topic'>,
): AuditRow | null {
  const read = readAuditHeaders(headers);
  if (read === null || read.customerId !== customerId) return null;
  const state: State = {
    provider: null,
    model: null,
    status: 'FAILED',
    attempts: Math.min(0xffff, Math.max(0, read.attempt - 1)),
    riskLevel: null,
    violations: [],
    failureCode: headers['x-failure-code'] ?? null,
    completedAt: isTime(headers['x-failed-at']) ? headers['x-failed-at'] : null,
    durationMs: null,
    steps: JSON.stringify(read.steps),
  };
  const row = rowOf(read, ERASED_RANK, state, { topic: LEDGER.name, epoch, partition, offset });
  return { ...row, erased: true };
}

/**
 * The row of an audit without a signal after its customer is erased. All its records agree on the columns used here, so
 * the row is the same whichever record it comes from; if a signal arrives after all, the signal's row wins.
 */
export function erasedUnansweredRow({
  customerId,
  acceptedAt,
  auditId,
  sandboxId,
  sandboxSlug,
  source,
}: Omit<AuditRow, 'version'>): AuditRow {
  return {
    customerId,
    acceptedAt,
    auditId,
    rank: ERASED_RANK,
    version: auditVersion(ERASED_RANK, LAST_OFFSET),
    sandboxId,
    sandboxSlug,
    source,
    provider: null,
    model: null,
    status: 'FAILED',
    generation: 0,
    attempts: 0,
    riskLevel: null,
    violations: [],
    failureCode: KEY_DESTROYED,
    completedAt: null,
    durationMs: null,
    steps: '[]',
    erased: true,
    topic: TRIPLETS.name,
    epoch: 0,
    partition: 0,
    offset: 0,
  };
}

/** Versions are decimal numbers without leading zeros. */
const isNewer = (version: string, than: string): boolean =>
  version.length === than.length ? version >= than : version.length > than.length;

/** The winning row of each audit: the others would only be merged away. */
export function winningRows(rows: readonly AuditRow[]): AuditRow[] {
  const winning = new Map<string, AuditRow>();
  for (const row of rows) {
    const key = `${row.auditId} ${row.acceptedAt} ${row.customerId}`;
    const other = winning.get(key);
    if (other === undefined || isNewer(row.version, other.version)) winning.set(key, row);
  }
  return [...winning.values()];
}

type Identity = Pick<
  ReadHeaders,
  'auditId' | 'acceptedAt' | 'sandboxId' | 'sandboxSlug' | 'customerId' | 'generation'
> & { readonly source: string };
type State = Pick<
  AuditRow,
  | 'provider'
  | 'model'
  | 'status'
  | 'attempts'
  | 'riskLevel'
  | 'violations'
  | 'failureCode'
  | 'completedAt'
  | 'durationMs'
  | 'steps'
>;

/** Written without a spread: a row is made for every record, and the engine builds a plain literal far faster. */
function rowOf(audit: Identity, rank: number, state: State, at: Position): AuditRow {
  return {
    customerId: audit.customerId,
    acceptedAt: audit.acceptedAt,
    auditId: audit.auditId,
    rank,
    version: auditVersion(rank, at.offset),
    sandboxId: audit.sandboxId,
    sandboxSlug: audit.sandboxSlug,
    source: audit.source,
    generation: audit.generation,
    erased: false,
    provider: state.provider,
    model: state.model,
    status: state.status,
    attempts: state.attempts,
    riskLevel: state.riskLevel,
    violations: state.violations,
    failureCode: state.failureCode,
    completedAt: state.completedAt,
    durationMs: state.durationMs,
    steps: state.steps,
    topic: at.topic,
    epoch: at.epoch,
    partition: at.partition,
    offset: at.offset,
  };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function jsonList(text: string | undefined): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
