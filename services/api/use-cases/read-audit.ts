import type { PendingMark } from '../../../platform/state/port.ts';
import { WarehouseLimitExceeded, WarehouseUnavailable } from '../../../platform/warehouse/port.ts';
import { type FoundAudit, findAudit } from '../../../platform/warehouse/queries/audits.ts';
import type { Audit, AuditStep } from '../../../schemas/api/audits.ts';
import { ApiError, unavailable } from '../errors.ts';
import type { ApiParts } from '../parts.ts';
import { isId } from './ids.ts';
import { mayBeHidden, timeOf } from './list-lag.ts';
import { replayMarks } from './replay-marks.ts';
import { replayStep } from './replayed-record.ts';
import { shownAudit } from './shown-audit.ts';

type ReadParts = Pick<ApiParts, 'state' | 'log' | 'warehouse' | 'now'> & Partial<Pick<ApiParts, 'onStored'>>;

/** How often a held answer looks again: often at first, for most audits are done soon; seldom when it is told. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 500;
const TOLD_LOOK_MS = 2_000;

/**
 * One audit. The mark is read before the list, because the sink removes it only after it stored the acceptance: an
 * audit on its way from one to the other is found in either. What the list knows is newer than the mark.
 */
export async function readAudit(parts: ReadParts, customerId: string, id: string): Promise<Audit> {
  if (!isId(id)) throw new ApiError('NOT_FOUND');
  const mark = await parts.state.admission.pendingMark(customerId, id);
  const row = await findRow(parts, customerId, id, mark).catch((error: unknown) => {
    const cannotTell = error instanceof WarehouseUnavailable || error instanceof WarehouseLimitExceeded;
    if (mark !== null && cannotTell) return null;
    throw error;
  });
  if (row !== null) return row.status === 'FAILED' ? fromFailed(parts, row) : fromRow(row);
  if (mark !== null) return fromMark(id, mark);
  throw await absence(parts, id);
}

/** The mark, or the id itself, nearly always tells when the audit was accepted; one made by the platform may differ. */
async function findRow(
  parts: ReadParts,
  customerId: string,
  id: string,
  mark: PendingMark | null,
): Promise<FoundAudit | null> {
  const acceptedAt = mark?.acceptedAt ?? timeOf(id);
  const found = acceptedAt === null ? null : await findAudit(parts.warehouse, customerId, id, acceptedAt);
  return found ?? (mark === null ? findAudit(parts.warehouse, customerId, id, null) : null);
}

/** Holds the answer until the audit is final, the time is up, or nobody listens any more. */
export async function awaitAudit(
  parts: ReadParts,
  customerId: string,
  id: string,
  waitSeconds: number,
  gone: AbortSignal,
): Promise<Audit> {
  // By a clock that nobody sets: one set back by an hour must not hold the answer for an hour.
  const deadline = performance.now() + waitSeconds * 1000;
  for (let look = FIRST_LOOK_MS; ; look = Math.min(look * 2, LAST_LOOK_MS)) {
    // Listening begins before the look: what is stored in between wakes the next one at once.
    const pause = startPause(parts, id, gone);
    const audit = await readAudit(parts, customerId, id).catch((error: unknown) => {
      pause.cancel();
      throw error;
    });
    const left = deadline - performance.now();
    if (isFinal(audit) || left <= 0 || gone.aborted) {
      pause.cancel();
      return audit;
    }
    await pause.until(Math.min(parts.onStored === undefined ? look : TOLD_LOOK_MS, left));
  }
}

const isFinal = ({ status }: Audit): boolean => status === 'COMPLETED' || status === 'FAILED';

function startPause(parts: ReadParts, id: string, gone: AbortSignal) {
  let wake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const unsubscribe = parts.onStored?.(id, wake);
  gone.addEventListener('abort', wake, { once: true });
  const cancel = (): void => {
    clearTimeout(timer);
    unsubscribe?.();
    gone.removeEventListener('abort', wake);
  };
  return {
    cancel,
    until: async (ms: number): Promise<void> => {
      timer = setTimeout(wake, ms);
      await woken;
      cancel();
    },
  };
}

/** "No such audit" is only said when the list is not so far behind that it could have missed it. */
const absence = async (parts: ReadParts, id: string): Promise<ApiError> =>
  (await mayBeHidden(parts, id)) ? unavailable(new Error('the audit list lags')) : new ApiError('NOT_FOUND');

function fromMark(id: string, mark: PendingMark): Audit {
  const createdAt = new Date(mark.acceptedAt).toISOString();
  const { sandboxSlug, provider, model } = mark;
  return {
    id,
    auditId: id,
    sandboxSlug,
    provider,
    model,
    source: mark.source ?? 'INGEST',
    status: 'QUEUED',
    attempts: 0,
    violations: [],
    createdAt,
    steps: [{ name: 'ACCEPTED', at: createdAt }],
  };
}

/** A replay is told of as soon as it is answered, also while the list has not seen its record. */
async function fromFailed(parts: ReadParts, row: FoundAudit): Promise<Audit> {
  const mark = await replayMarks(parts.state.expiring, parts.now).get(row);
  const failed = fromRow(row);
  if (mark?.appended !== true) return failed;
  const { failureCode: _code, completedAt: _at, ...audit } = failed;
  return { ...audit, status: 'QUEUED', steps: [...audit.steps, replayStep(mark.at)] };
}

const fromRow = (row: FoundAudit): Audit => ({
  ...shownAudit(row),
  steps: row.steps === '' ? [] : (JSON.parse(row.steps) as AuditStep[]),
});
