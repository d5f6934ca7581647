import { WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import { SearchFailed } from './search-in-thread.ts';

const LESS = 'choose a shorter range or a single sandbox';

/** The reason for a failed run, in fixed texts only. */
export function failureOf(error: unknown, stopped: AbortSignal): string {
  if (stopped.aborted) return 'the service was stopped; start the scan again';
  const reason = error instanceof SearchFailed ? error.reason : (error as Partial<Error> | null)?.name;
  if (reason === WarehouseLimitExceeded.name) return `the scan exceeded its limits; ${LESS}`;
  if (reason === 'ThreadGone') return `its thread stopped, probably out of memory; ${LESS}`;
  return 'a dependency failed; start the scan again';
}
