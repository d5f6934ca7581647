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

/** How often a held answer polls: often at first, because most audits are done soon; seldom when it is notified. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 500;
const TOLD_LOOK_MS = 2_000;
/** The mark of an audit that was accepted less than this long ago says by itself that there is no row yet. */
const YOUNG_MS = 10_000;
/**
 * An audit that has taken long already is looked at after a part of its age. Otherwise answers that are held because the
 * pipeline is behind cost the warehouse more than storing, and the pipeline falls behind further.
 */
const LOOKS_PER_AGE = { polled: 8, told: 4 };
const LONGEST_PAUSE_MS = { polled: 5_000, told: 10_000 };

/**
 * One audit. The mark is read before the list, because the sink removes it only after it stored the acceptance: so an
 * audit that moves from one to the other is found in at least one. The list is newer than the mark.
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

/** The mark, or the id itself, nearly always gives the acceptance time; that of an audit made by the platform may differ. */
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
 * Holds the answer until the audit is final, the time is up, or the client has gone. A look at the list costs the
 * warehouse as much as storing a hundred audits: while the mark of a young audit stands, only the mark is looked at. What
 * is answered is always read from the list too.
 */
export async function awaitAudit(
  dependencies: ReadDependencies,
  customerId: string,
  id: string,
  waitSeconds: number,
  gone: AbortSignal,
): Promise<Audit> {
  // By a monotonic clock: a wall clock set back by an hour must not hold the answer for an hour.
  const deadline = performance.now() + waitSeconds * 1000;
  let told = false;
  for (let look = FIRST_LOOK_MS; ; look = Math.min(look * 2, LAST_LOOK_MS)) {
    // Listening begins before the read: what is stored in between triggers the next one at once.
    const pause = startPause(dependencies, id, gone);
    const read = async (): Promise<Audit | null> => {
      const mayBeStored = told || gone.aborted || performance.now() >= deadline;
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
    const pauseMs = Math.min(audit === null ? look : pauseOf(dependencies, audit, look), left);
    // A look that began in time may end late: then the last one follows at once.
    told = await pause.until(Math.max(0, pauseMs));
  }
}

/** Until the next look at the list, ms. */
function pauseOf({ onStored, now }: ReadDependencies, { createdAt }: Audit, look: number): number {
  const ageMs = Math.abs(now() - Date.parse(createdAt));
  const by = onStored === undefined ? 'polled' : 'told';
  const least = by === 'polled' ? look : TOLD_LOOK_MS;
  return Math.min(Math.max(least, ageMs / LOOKS_PER_AGE[by]), LONGEST_PAUSE_MS[by]);
}

async function isYoung({ state, now }: ReadDependencies, customerId: string, id: string): Promise<boolean> {
  const mark = isId(id) ? await state.admission.pendingMark(customerId, id) : null;
  // A clock that was set back makes no audit young for an hour.
  return mark !== null && Math.abs(now() - mark.acceptedAt) < YOUNG_MS;
}

const isFinal = ({ status }: Audit): boolean => status === 'COMPLETED' || status === 'FAILED';

function startPause(dependencies: ReadDependencies, id: string, gone: AbortSignal) {
  let wake = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const unsubscribe = dependencies.onStored?.(id, () => {
    told = true;
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
    /** Resolves with whether it was told that the audit's final state is stored. */
    until: async (ms: number): Promise<boolean> => {
      timer = setTimeout(wake, ms);
      await woken;
      cancel();
      return told;
    },
  };
}

/** "No such audit" is only said when the list is not so far behind that it could have missed it. */
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

/** A replay is shown as soon as it is answered, even while the list has not seen its record. */
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
