import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import type { PendingMark } from '#platform/state/pending-mark.ts';
import { type FoundAudit, findAudit } from '#platform/warehouse/queries/audits.ts';
import { mayBeHidden, timeOf } from '#records/audits/list-lag.ts';
import { replayMarks } from '#records/audits/replay-marks.ts';
import { replayStep } from '#records/audits/replayed-record.ts';
import type { Audit, AuditStep } from '#schemas/api/audits.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { ApiDependencies } from './dependencies.ts';
import { shownAudit } from './shown-audit.ts';

type ReadDependencies = Pick<ApiDependencies, 'state' | 'log' | 'warehouse' | 'now'> &
  Partial<Pick<ApiDependencies, 'onStored'>>;

/** How often a delayed answer polls: often at first, because most audits finish soon; rarely if it is notified. */
const FIRST_POLL_MS = 50;
const LAST_POLL_MS = 500;
const NOTIFIED_POLL_MS = 2_000;
/** For an audit accepted less than this long ago, the mark alone means that there is no row yet. */
const YOUNG_MS = 10_000;
/**
 * A slow audit is read again after a fraction of its age. Otherwise answers delayed by a lagging pipeline would cost
 * the warehouse more than storing does, and the pipeline would fall further behind.
 */
const POLLS_PER_AGE = { polled: 8, notified: 4 };
const LONGEST_PAUSE_MS = { polled: 5_000, notified: 10_000 };

/**
 * Reads one audit. The mark is read before the list, because the sink removes it only after storing the acceptance, so
 * an audit that moves from one to the other is found in at least one. The list is newer than the mark.
 */
export async function readAudit(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
): Promise<Audit> {
  if (!isId(id)) throw new Refusal('NOT_FOUND');
  const mark = await dependencies.state.admission.pendingMark(customerId, id);
  const row = await findRow(dependencies, customerId, id, mark).catch((error: unknown) => {
    if (mark !== null && isRetryable(error)) return null;
    throw error;
  });
  if (row !== null) return row.status === 'FAILED' ? fromFailed(dependencies, row) : fromRow(row);
  if (mark !== null) return fromMark(id, mark);
  throw await absence(dependencies, id);
}

/**
 * The mark, or the id itself, nearly always gives the acceptance time; that of a platform signal's audit may differ.
 */
async function findRow(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
  mark: PendingMark | null,
): Promise<FoundAudit | null> {
  const acceptedAt = mark?.acceptedAt ?? timeOf(id);
  const found =
    acceptedAt === null ? null : await findAudit(dependencies.warehouse, customerId, id, acceptedAt);
  return found ?? (mark === null ? findAudit(dependencies.warehouse, customerId, id, null) : null);
}

/**
 * Waits until the audit is final, the time is up, or the client has gone. Reading the list costs the warehouse as much
 * as storing a hundred audits, so while a young audit has its mark, only the mark is read. The answer itself is always
 * read from the list too.
 */
export async function awaitAudit(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
  waitSeconds: number,
  gone: AbortSignal,
): Promise<Audit> {
  // A monotonic clock: a wall clock set back by an hour must not delay the answer by an hour.
  const deadline = performance.now() + waitSeconds * 1000;
  let notified = false;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
    // Subscribes before the read, so that anything stored in between triggers the next read at once.
    const pause = startPause(dependencies, id, gone);
    const read = async (): Promise<Audit | null> => {
      const mayBeStored = notified || gone.aborted || performance.now() >= deadline;
      if (!mayBeStored && (await isYoung(dependencies, customerId, id))) return null;
      return readAudit(dependencies, customerId, id);
    };
    const audit = await read().catch((error: unknown) => {
      pause.cancel();
      throw error;
    });
    const left = deadline - performance.now();
    if (audit !== null && (isFinal(audit) || left <= 0 || gone.aborted)) {
      pause.cancel();
      return audit;
    }
    const pauseMs = Math.min(audit === null ? pollMs : pauseOf(dependencies, audit, pollMs), left);
    // A read that started in time may end late; then the last one follows at once.
    notified = await pause.until(Math.max(0, pauseMs));
  }
}

/** Time until the next read of the list, ms. */
function pauseOf({ onStored, now }: ReadDependencies, { createdAt }: Audit, pollMs: number): number {
  const ageMs = Math.abs(now() - Date.parse(createdAt));
  const by = onStored === undefined ? 'polled' : 'notified';
  const least = by === 'polled' ? pollMs : NOTIFIED_POLL_MS;
  return Math.min(Math.max(least, ageMs / POLLS_PER_AGE[by]), LONGEST_PAUSE_MS[by]);
}

async function isYoung({ state, now }: ReadDependencies, customerId: string, id: string): Promise<boolean> {
  const mark = isId(id) ? await state.admission.pendingMark(customerId, id) : null;
  // After a clock was set back, no audit counts as young for an hour.
  return mark !== null && Math.abs(now() - mark.acceptedAt) < YOUNG_MS;
}

const isFinal = ({ status }: Audit): boolean => status === 'COMPLETED' || status === 'FAILED';

function startPause(dependencies: ReadDependencies, id: string, gone: AbortSignal) {
  let wake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let notified = false;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const unsubscribe = dependencies.onStored?.(id, () => {
    notified = true;
    wake();
  });
  gone.addEventListener('abort', wake, { once: true });
  const cancel = (): void => {
    clearTimeout(timer);
    unsubscribe?.();
    gone.removeEventListener('abort', wake);
  };
  return {
    cancel,
    /** Resolves to whether the audit's final state was reported as stored. */
    until: async (ms: number): Promise<boolean> => {
      timer = setTimeout(wake, ms);
      await woken;
      cancel();
      return notified;
    },
  };
}

/** Answers "no such audit" only if the list is recent enough to have it. */
const absence = async (dependencies: ReadDependencies, id: string): Promise<Refusal> =>
  (await mayBeHidden(dependencies, id))
    ? unavailable(new Error('the audit list is not up to date'))
    : new Refusal('NOT_FOUND');

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

/** A replay is shown as soon as it is answered, even before the list has its record. */
async function fromFailed(dependencies: ReadDependencies, row: FoundAudit): Promise<Audit> {
  const mark = await replayMarks(dependencies.state.expiring, dependencies.now).get(row);
  const failed = fromRow(row);
  if (mark?.appended !== true) return failed;
  const { failureCode: _code, completedAt: _at, ...audit } = failed;
  return { ...audit, status: 'QUEUED', steps: [...audit.steps, replayStep(mark.at)] };
}

const fromRow = (row: FoundAudit): Audit => ({
  ...shownAudit(row),
  steps: row.steps === '' ? [] : (JSON.parse(row.steps) as AuditStep[]),
});
