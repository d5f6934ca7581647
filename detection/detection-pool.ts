import { compiledModule } from '#platform/config/package-root.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { createTaskPool, type Tasks } from '#platform/threads/task-pool.ts';

const MIB = 2 ** 20;
/** Long texts that may wait for a thread, and their total bytes. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 64 * MIB;
/** Twice what the most expensive texts of 2 MiB need. A text that needs more kills its thread, not the process. */
const MAX_HEAP_BYTES = 192 * MIB;
const START_MS = 30_000;

/** The process's threads for searching long texts; null when the settings disable them. Ends with the lifecycle. */
export function openDetectionPool(
  { detection: { threads, timeoutMs } }: Pick<Settings, 'detection'>,
  lifecycle: Pick<Lifecycle, 'add'>,
): Tasks | null {
  return threads === 0 ? null : openPool('detection', threads, timeoutMs, lifecycle);
}

/** The threads in which an analyzer searches lists of short texts; null: the analyzer's own thread only. */
export function openAnalysisPool(
  { detection: { analysisThreads, timeoutMs } }: Pick<Settings, 'detection'>,
  lifecycle: Pick<Lifecycle, 'add'>,
): { readonly tasks: Tasks; readonly threads: number } | null {
  if (analysisThreads <= 1) return null;
  return {
    tasks: openPool('analysis', analysisThreads, timeoutMs, lifecycle),
    threads: analysisThreads,
  };
}

function openPool(
  name: string,
  threads: number,
  timeoutMs: number,
  lifecycle: Pick<Lifecycle, 'add'>,
): Tasks {
  const pool = createTaskPool({
    module: compiledModule('detection/detection-thread.ts'),
    name,
    threads,
    timeoutMs,
    maxHeapMib: MAX_HEAP_BYTES / MIB,
    startMs: START_MS,
    maxWaiting: MAX_WAITING,
    maxWaitingBytes: MAX_WAITING_BYTES,
  });
  lifecycle.add(`${name} threads`, pool.close);
  return pool;
}
