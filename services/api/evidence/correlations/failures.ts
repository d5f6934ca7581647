import { WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import { SearchFailed } from './search-in-thread.ts';

const LESS = 'choose a shorter range, or one sandbox';

/** Why a run came to no result, in words of ours alone. */
export function failureOf(error: unknown, stopped: AbortSignal): string {
  if (stopped.aborted) return 'the service was stopped; start it again';
  const reason = error instanceof SearchFailed ? error.reason : (error as Partial<Error> | null)?.name;
  if (reason === WarehouseLimitExceeded.name) return `it takes more than one run may take; ${LESS}`;
  if (reason === 'ThreadGone') return `its thread ended, as one does that needs too much memory; ${LESS}`;
  return 'a backing service failed; start it again';
}
