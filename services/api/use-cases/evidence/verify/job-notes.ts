import type { Documents } from '#platform/state/port.ts';
import type { VerificationJob } from '#schemas/api/evidence/hash-chain.ts';
import { VERIFICATIONS } from '#services/customers/records.ts';

const JOBS = 'jobs';
/** Of a customer. */
const KEPT_JOBS = 5;
/** A job that was not noted for so long is not under way any more. */
const SILENT_MS = 60_000;
const MAX_ATTEMPTS = 5;

/** A customer's last jobs, in the state, so that any process can show them. */
export interface JobNotes {
  /** The newest first, as they are now: those of processes that died have failed. */
  of(customerId: string): Promise<VerificationJob[]>;
  /** Writes a job down as it is, and forgets the oldest ones. */
  note(customerId: string, job: VerificationJob): Promise<void>;
}

/** `now`: Unix ms. */
export function createJobNotes(documents: Documents, now: () => number): JobNotes {
  const read = async (customerId: string) => {
    const ref = { scope: customerId, collection: VERIFICATIONS, id: JOBS };
    const stored = await documents.get<{ readonly jobs: readonly VerificationJob[] }>(ref);
    return { ref, version: stored?.version ?? 0, jobs: stored?.value.jobs ?? [] };
  };
  return {
    of: async (customerId) =>
      (await read(customerId)).jobs.map((job) => {
        const isSilent = job.status === 'RUNNING' && now() - Date.parse(job.updatedAt) > SILENT_MS;
        return isSilent ? { ...job, status: 'FAILED', failure: 'its process ended before it was done' } : job;
      }),
    note: async (customerId, job) => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const { ref, version, jobs } = await read(customerId);
        const value = { jobs: [job, ...jobs.filter(({ id }) => id !== job.id)].slice(0, KEPT_JOBS) };
        if ((await documents.write(customerId, [{ ...ref, expectedVersion: version, value }])).ok) return;
      }
    },
  };
}
