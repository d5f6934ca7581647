import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { CUSTOMERS, type Documents, type DocumentWrite, type StoredDocument } from '#platform/state/port.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import {
  CORRELATION_PATTERNS,
  CORRELATION_RUNS,
  type CorrelationRun,
  type RunPatterns,
  type StoredRuns,
} from './correlation-run.ts';

/** Number of runs kept per customer, the latest ones. */
export const KEPT_RUNS = 20;
/** A run that was not updated for this long is no longer in progress. */
const SILENT_MS = 60_000;

const runsRef = (customerId: string) => ({
  scope: customerId,
  collection: CORRELATION_RUNS,
  id: customerId,
});
const patternsRef = (customerId: string, id: string) => ({
  scope: customerId,
  collection: CORRELATION_PATTERNS,
  id,
});

type Reader = Pick<Documents, 'get'>;

/** A customer's runs as of a time (Unix ms), the oldest first: runs of dead processes have failed. */
export async function runsAt(documents: Reader, customerId: string, at: number): Promise<CorrelationRun[]> {
  const stored = await documents.get<StoredRuns>(runsRef(customerId));
  return (stored?.value.runs ?? []).map((run) => {
    const isSilent = run.status === 'RUNNING' && Math.abs(at - Date.parse(run.updatedAt)) > SILENT_MS;
    return isSilent ? { ...run, status: 'FAILED', failure: 'its process stopped before it finished' } : run;
  });
}

export const patternsOfRun = (
  documents: Reader,
  customerId: string,
  id: string,
): Promise<StoredDocument<RunPatterns> | null> => documents.get<RunPatterns>(patternsRef(customerId, id));

/**
 * Stores a run, with its patterns once it is COMPLETED; the oldest ones make room for a new one. False: the customer
 * was erased, or a run that is not new has already been removed.
 */
export function noteRun(
  documents: Documents,
  customerId: string,
  run: CorrelationRun,
  { isNew, patterns }: { readonly isNew: boolean; readonly patterns?: RunPatterns },
): Promise<boolean> {
  return changeDocument<StoredRuns, boolean>({ documents }, runsRef(customerId), async (stored) => {
    const customer = await documents.get<CustomerRecord>({
      scope: customerId,
      collection: CUSTOMERS,
      id: customerId,
    });
    if (customer === null || customer.value.erasure !== undefined) return unchanged(false);
    const runs = stored?.value.runs ?? [];
    const isThere = runs.some(({ id }) => id === run.id);
    if (!isThere && !isNew) return unchanged(false);
    const all = isThere ? runs.map((one) => (one.id === run.id ? run : one)) : [...runs, run];
    const forgotten = all.slice(0, Math.max(0, all.length - KEPT_RUNS));
    const others: DocumentWrite[] = [
      // An erasure that starts in the meantime would miss what is written now.
      {
        collection: CUSTOMERS,
        id: customerId,
        expectedVersion: customer.version,
        value: null,
        unchanged: true,
      },
      ...forgotten.map(({ id }) => ({ collection: CORRELATION_PATTERNS, id, value: null })),
      ...(patterns === undefined ? [] : [{ collection: CORRELATION_PATTERNS, id: run.id, value: patterns }]),
    ];
    return { value: { runs: all.slice(forgotten.length) }, others, result: true };
  });
}

/** Changes the patterns of a run, if there are any. `change` null: no change. Resolves to the resulting patterns. */
export const changePatterns = (
  documents: Pick<Documents, 'get' | 'write'>,
  customerId: string,
  id: string,
  change: (stored: RunPatterns) => Promise<RunPatterns | null>,
): Promise<RunPatterns | null> =>
  changeDocument<RunPatterns, RunPatterns | null>(
    { documents },
    patternsRef(customerId, id),
    async (stored) => {
      const value = stored === null ? null : await change(stored.value);
      return value === null ? unchanged(stored?.value ?? null) : { value, result: value };
    },
  );
