import { changeDocument } from '#platform/state/change-document.ts';
import type { Documents } from '#platform/state/port.ts';
import { VERIFICATIONS } from '#records/ledger/verified-ledger.ts';
import type { VerificationJob } from '#schemas/api/evidence/hash-chain.ts';

const JOBS = 'jobs';
/** Jobs kept per customer. */
const KEPT_JOBS = 5;
/** A job without a note for this long is no longer running. */
const SILENT_MS = 60_000;

interface StoredJobs {
  readonly jobs: readonly VerificationJob[];
}

const refOf = (scope: string) => ({ scope, collection: VERIFICATIONS, id: JOBS });

/** A customer's last jobs, kept in the state so that any process can show them. */
export interface JobNotes {
  /** Newest first, with current status: jobs of processes that died have failed. */
  of(customerId: string): Promise<VerificationJob[]>;
  /** Saves the job's current status, and discards the oldest jobs. */
  note(customerId: string, job: VerificationJob): Promise<void>;
}

/** `now`: Unix ms. */
export function createJobNotes(documents: Documents, now: () => number): JobNotes {
  return {
    of: async (customerId) =>
      ((await documents.get<StoredJobs>(refOf(customerId)))?.value.jobs ?? []).map((job) => {
        const isSilent = job.status === 'RUNNING' && now() - Date.parse(job.updatedAt) > SILENT_MS;
        return isSilent
          ? { ...job, status: 'FAILED', failure: 'its process stopped before it finished' }
          : job;
      }),
    note: (customerId, job) =>
      changeDocument<StoredJobs>({ documents }, refOf(customerId), (stored) => {
        const others = (stored?.value.jobs ?? []).filter(({ id }) => id !== job.id);
        return { value: { jobs: [job, ...others].slice(0, KEPT_JOBS) }, result: undefined };
      }),
  };
}
