import type { FolderSpace } from '#platform/data-folder/disk-watch.ts';
import type { LogUsage } from '#platform/event-log/lmdb/budget.ts';
import type { Logger } from '../logger.ts';
import type { Look } from './readiness.ts';

/** Space that the embedded stores have left. */
export interface StorageReport {
  readonly log: LogUsage;
  readonly folders: readonly FolderSpace[];
}

const GIB = 1024 ** 3;
const inGiB = (bytes: number): string => `${(bytes / GIB).toFixed(bytes < GIB ? 3 : 1)} GiB`;

/** Storage problems to report to an operator, worst first. */
function troubles({
  log,
  folders,
}: StorageReport): { readonly refuses: boolean; readonly message: string }[] {
  const found: { refuses: boolean; message: string }[] = [];
  if (log.level !== 'fits') {
    const { usedBytes, maxBytes } = log;
    found.push({
      refuses: log.level === 'refuses',
      message: `the event log uses ${inGiB(usedBytes)} of ${inGiB(maxBytes)} (LOG_MAX_BYTES); processed records are already deleted. Check why the analyzer or sink lags, or raise LOG_MAX_BYTES`,
    });
  }
  for (const { name, freeBytes, leastFreeBytes, level } of folders) {
    if (level === 'fits') continue;
    found.push({
      refuses: level === 'refuses',
      message: `the disk of the ${name} has ${inGiB(freeBytes)} free; ingest is rejected below ${inGiB(leastFreeBytes)} (DATA_MIN_FREE_BYTES). Free or add disk space`,
    });
  }
  return found.sort((one, other) => Number(other.refuses) - Number(one.refuses));
}

/**
 * Readiness of storage: adds a message when space runs short, and fails while ingest is refused. The process still
 * accepts requests: everything but ingest works, and no other process has this data.
 */
export function storageCheck(report: StorageReport): Look {
  const found = troubles(report);
  if (found.length === 0) return { ok: true };
  const refuses = found.some((trouble) => trouble.refuses);
  const message = `${refuses ? 'ingest answers 503: ' : ''}${found.map((trouble) => trouble.message).join('; ')}`;
  return refuses ? { ok: false, message, serves: true } : { ok: true, message };
}

interface StorageWatch {
  stop(): void;
}

/** Logs when space runs short, when ingest is refused, and when either ends. */
export function watchStorage(
  report: () => StorageReport,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  intervalMs = 1_000,
): StorageWatch {
  let lastLevel: 'fits' | 'warns' | 'refuses' = 'fits';
  const timer = setInterval(() => {
    const { ok, message } = storageCheck(report());
    const level = ok ? (message === undefined ? 'fits' : 'warns') : 'refuses';
    if (level === lastLevel) return;
    lastLevel = level;
    if (level === 'fits') logger.info({}, 'storage space sufficient again');
    else if (level === 'warns') logger.warn({ reason: message }, 'storage space low');
    else logger.error({ reason: message }, 'storage full; ingest refused');
  }, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
