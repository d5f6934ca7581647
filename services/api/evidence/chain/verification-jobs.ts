import { Refusal } from '#platform/flow/refusal.ts';
import type { Documents } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Verification, VerificationJob } from '#schemas/api/evidence/hash-chain.ts';
import { createJobNotes, type JobNotes } from './job-notes.ts';
import type { PassWatch } from './pass.ts';

/**
 * Verifications that run without a waiting client, with their progress in the state, so that any process can show it.
 */
export interface VerificationJobs {
  /** Starts a job, or returns the customer's running one. Throws TOO_MANY_AT_ONCE. */
  begin(customerId: string, job: JobWork): Promise<VerificationJob>;
  /** null: unknown, or no longer kept. */
  find(customerId: string, id: string): Promise<VerificationJob | null>;
  /** Gives up running jobs. */
  stop(): Promise<void>;
}

interface JobWork {
  readonly mode: Verification['mode'];
  readonly entries: number;
  readonly run: (watch: PassWatch) => Promise<Verification>;
}

interface JobDependencies {
  readonly documents: Documents;
  readonly now: () => number;
  readonly newId: (at: number) => string;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Running jobs per process. */
const MAX_RUNNING = 2;
const NOTED_EVERY_MS = 5_000;
const RETRY_SECONDS = 5;

export function createVerificationJobs(dependencies: JobDependencies): VerificationJobs {
  const { documents, now, newId } = dependencies;
  const notes = createJobNotes(documents, now);
  /** By customer, until there is a result. */
  const running = new Map<string, AbortController>();
  /** Jobs with a result that is not saved yet. */
  const ending = new Set<Promise<void>>();

  const start = async (customerId: string, job: JobWork): Promise<VerificationJob> => {
    const stop = new AbortController();
    running.set(customerId, stop);
    const started = newJob(newId(now()), job, new Date(now()).toISOString());
    try {
      await notes.note(customerId, started);
    } catch (error) {
      running.delete(customerId);
      throw error;
    }
    const note = noteOf(dependencies, notes, customerId, started);
    const ended = work(dependencies, job, stop.signal, note)
      .then((end) => {
        running.delete(customerId);
        return note(end);
      })
      .finally(() => ending.delete(ended));
    ending.add(ended);
    return started;
  };

  return {
    begin: async (customerId, job) => {
      const under = (await notes.of(customerId)).find(({ status }) => status === 'RUNNING');
      if (under !== undefined) return under;
      if (running.size >= MAX_RUNNING || running.has(customerId))
        throw new Refusal('TOO_MANY_AT_ONCE', { retryAfterSeconds: RETRY_SECONDS });
      return start(customerId, job);
    },
    find: async (customerId, id) => (await notes.of(customerId)).find((one) => one.id === id) ?? null,
    stop: async () => {
      for (const stop of running.values()) stop.abort();
      await Promise.all(ending);
    },
  };
}

const newJob = (id: string, { mode, entries }: JobWork, at: string): VerificationJob => ({
  id,
  mode,
  status: 'RUNNING',
  startedAt: at,
  updatedAt: at,
  checkedEntries: 0,
  totalEntries: entries,
  progress: 0,
  result: null,
  failure: null,
});

type Note = (change: Partial<VerificationJob>) => Promise<void>;

/** Saves changes of a job. Best effort: a job whose notes stop counts as failed. */
function noteOf(
  { now, logger }: JobDependencies,
  notes: JobNotes,
  customerId: string,
  started: VerificationJob,
): Note {
  let current = started;
  return async (change) => {
    current = { ...current, ...change, updatedAt: new Date(now()).toISOString() };
    await notes.note(customerId, current).catch((err: unknown) => {
      logger.warn({ err }, 'failed to save verification progress');
    });
  };
}

/** Runs a job, saves its progress periodically, and returns its end. Never rejects. */
function work(
  { now, logger }: JobDependencies,
  { run, entries }: JobWork,
  gone: AbortSignal,
  note: Note,
): Promise<Partial<VerificationJob>> {
  let notedAt = now();
  const onProgress = (checkedEntries: number): void => {
    if (Math.abs(now() - notedAt) < NOTED_EVERY_MS) return;
    notedAt = now();
    void note({ checkedEntries, progress: Math.min(1, checkedEntries / Math.max(1, entries)) });
  };
  return run({ gone, onProgress }).then(
    (result) => ({ status: 'COMPLETED', checkedEntries: result.checkedEntries, progress: 1, result }),
    (err: unknown) => {
      logger.warn({ err }, 'verification job failed');
      return { status: 'FAILED', failure: 'a dependency failed, or the service was stopped' };
    },
  );
}
