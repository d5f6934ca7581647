import { MessageChannel, type ResourceLimits, Worker } from 'node:worker_threads';
import { compiledModule } from '#platform/config/package-root.ts';
import { ServiceError } from '#platform/flow/service-error.ts';
import { callOver } from '#platform/threads/calls.ts';
import type { WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import type { FoundPatterns, PatternSearch } from './find-patterns.ts';
import type { SearchProgress, SearchThreadStart } from './search-thread.ts';

const MIB = 2 ** 20;
/** A month with two million signals takes two thirds of this; a run that needs more ends only itself. */
const MAX_HEAP_BYTES = 512 * MIB;
/** Garbage of each chunk of the answer is freed by the next collection, which is rare with this much room. */
const YOUNG_BYTES = 192 * MIB;

const heapLimits = (maxHeapBytes = MAX_HEAP_BYTES): ResourceLimits => ({
  maxOldGenerationSizeMb: maxHeapBytes / MIB,
  maxYoungGenerationSizeMb: YOUNG_BYTES / MIB,
});

/** A search without a result. `reason`: name of the thread's error, or of its end. */
export class SearchFailed extends ServiceError {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(`the scan for patterns failed: ${message}`);
    this.name = 'SearchFailed';
    this.reason = reason;
  }
}

/** Runs each search in its own thread, so that no request waits for it and its memory is freed with the thread. */
export const searchInThread = (
  warehouse: Omit<WarehouseOptions, 'logger'>,
  maxHeapBytes?: number,
): PatternSearch => ({
  run: async (task, { gone, onProgress }) => {
    const control = new MessageChannel();
    const given = { warehouse, control: control.port2 } satisfies SearchThreadStart;
    const worker = new Worker(compiledModule('services/api/evidence/correlations/search-thread.ts'), {
      name: 'patterns',
      workerData: given,
      transferList: [control.port2],
      resourceLimits: heapLimits(maxHeapBytes),
    });
    const caller = callOver(
      control.port1,
      ({ name, message }) => new SearchFailed(name, message),
      (message) => onProgress((message as SearchProgress).analyzedSignals),
    );
    const end = (): void => caller.close();
    // Without a listener the error would end the process.
    worker.on('error', end).on('exit', end).unref();
    control.port1.unref();
    const giveUp = (): void => void worker.terminate();
    gone.addEventListener('abort', giveUp);
    if (gone.aborted) giveUp();
    try {
      return await caller.call<FoundPatterns>('run', [task]);
    } finally {
      gone.removeEventListener('abort', giveUp);
      await worker.terminate();
    }
  },
});
