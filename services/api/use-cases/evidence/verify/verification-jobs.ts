import type { Documents } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Verification, VerificationJob } from '#schemas/api/hash-chain.ts';
import { ApiError } from '../../../errors.ts';
import type { PassWatch } from './pass.ts';

/** Verifications that run without a client who waits, with their progress in the state, so that any process shows it. */
export interface VerificationJobs {
  /** Begins one; the one that is under way already, if the customer has one. Throws TOO_MANY_AT_ONCE. */
  begin(customerId: string, job: JobWork): Promise<VerificationJob>;
  /** null: there is none, or it is forgotten. */
  find(customerId: string, id: string): Promise<VerificationJob | null>;
  /** Gives up what is under way. */
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

const COLLECTION = 'verifications';
const JOBS = 'jobs';
/** Of a customer. */
const KEPT_JOBS = 5;
/** Under way in a process. */
const MAX_RUNNING = 2;
const NOTED_EVERY_MS = 5_000;
/** A job that was not noted for so long is not under way any more. */
const SILENT_MS = 60_000;
const RETRY_SECONDS = '5';
const MAX_ATTEMPTS = 5;

export function createVerificationJobs(dependencies: JobDependencies): VerificationJobs {
  const { documents, now, newId, logger } = dependencies;
  /** By customer, until there is a result. */
  const running = new Map<string, AbortController>();
  /** Until that is noted. */
  const ending = new Set<Promise<void>>();
  const iso = (): string => new Date(now()).toISOString();

  const read = async (customerId: string) => {
    const ref = { scope: customerId, collection: COLLECTION, id: JOBS };
    const stored = await documents.get<{ readonly jobs: readonly VerificationJob[] }>(ref);
    return { ref, version: stored?.version ?? 0, jobs: stored?.value.jobs ?? [] };
  };
  const note = async (customerId: string, job: VerificationJob): Promise<void> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { ref, version, jobs } = await read(customerId);
      const value = { jobs: [job, ...jobs.filter(({ id }) => id !== job.id)].slice(0, KEPT_JOBS) };
      if ((await documents.write(customerId, [{ ...ref, expectedVersion: version, value }])).ok) return;
    }
  };
  const alive = (job: VerificationJob): VerificationJob => {
    const isSilent = job.status === 'RUNNING' && now() - Date.parse(job.updatedAt) > SILENT_MS;
    return isSilent ? { ...job, status: 'FAILED', failure: 'its process ended before it was done' } : job;
  };

  const work = async (customerId: string, begun: VerificationJob, job: JobWork, stop: AbortController) => {
    let current = begun;
    let noted = now();
    const tell = (change: Partial<VerificationJob>): Promise<void> => {
      current = { ...current, ...change, updatedAt: iso() };
      noted = now();
      return note(customerId, current).catch((err: unknown) =>
        logger.warn({ err }, 'the progress of a verification could not be noted'),
      );
    };
    const onProgress = (checkedEntries: number): void => {
      if (Math.abs(now() - noted) < NOTED_EVERY_MS) return;
      void tell({ checkedEntries, progress: Math.min(1, checkedEntries / Math.max(1, job.entries)) });
    };
    const end = await job.run({ gone: stop.signal, onProgress }).then(
      (result): Partial<VerificationJob> => ({
        status: 'COMPLETED',
        checkedEntries: result.checkedEntries,
        progress: 1,
        result,
      }),
      (err: unknown): Partial<VerificationJob> => {
        logger.warn({ err }, 'a verification of a long ledger was given up');
        return { status: 'FAILED', failure: 'a backing service failed, or the service was stopped' };
      },
    );
    running.delete(customerId);
    await tell(end);
  };

  return {
    begin: async (customerId, job) => {
      const { jobs } = await read(customerId);
      const under = jobs.map(alive).find(({ status }) => status === 'RUNNING');
      if (under !== undefined) return under;
      if (running.size >= MAX_RUNNING || running.has(customerId))
        throw new ApiError('TOO_MANY_AT_ONCE', { headers: { 'retry-after': RETRY_SECONDS } });
      const begun: VerificationJob = {
        id: newId(now()),
        mode: job.mode,
        status: 'RUNNING',
        startedAt: iso(),
        updatedAt: iso(),
        checkedEntries: 0,
        totalEntries: job.entries,
        progress: 0,
        result: null,
        failure: null,
      };
      const stop = new AbortController();
      running.set(customerId, stop);
      try {
        await note(customerId, begun);
      } catch (error) {
        running.delete(customerId);
        throw error;
      }
      const ended = work(customerId, begun, job, stop).finally(() => ending.delete(ended));
      ending.add(ended);
      return begun;
    },
    find: async (customerId, id) => {
      const job = (await read(customerId)).jobs.find((one) => one.id === id);
      return job === undefined ? null : alive(job);
    },
    stop: async () => {
      for (const stop of running.values()) stop.abort();
      await Promise.all(ending);
    },
  };
}
