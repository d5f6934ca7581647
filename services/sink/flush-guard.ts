import type { StoredRecord } from '../../platform/event-log/port.ts';
import type { Skips } from './skips.ts';
import { assertEpoch } from './start-position.ts';
import type { SinkStore } from './store.ts';

/**
 * What was looked at so long ago says nothing any more. Who could change it has to wait longer: a new epoch until the
 * session of a sink that hangs has ended, an accepted loss until another sink owns the partition, has met the record
 * and was told by a person to go on.
 */
const MAX_AGE_MS = 1_000;

interface GuardParts {
  readonly store: Pick<SinkStore, 'epoch'>;
  readonly epoch: number;
  readonly skips: Pick<Skips, 'refresh' | 'assertLeft'>;
  /** Milliseconds of a clock that nobody sets and that goes on while the process is frozen. */
  readonly clock: () => number;
}

/**
 * Makes sure, before a flush, that nothing has changed what may be stored. A busy sink flushes many times a second and
 * looks once, for each look costs the warehouse as much as the small reads of a whole flush.
 */
export function flushGuard({ store, epoch, skips, clock }: GuardParts) {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async (folded: readonly StoredRecord[]): Promise<void> => {
    const now = clock();
    if (now - lookedAt >= MAX_AGE_MS) {
      await Promise.all([assertEpoch(store, epoch), skips.refresh()]);
      lookedAt = now;
    }
    await skips.assertLeft(folded);
  };
}
