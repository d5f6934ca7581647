import { plural, print, printError } from '../command/output.ts';
import { type Destination, folderDestination, isBucketAddress } from './destination.ts';
import { type ExportSource, fetchFile } from './fetch-file.ts';
import type { PeriodLength } from './periods.ts';
import { runSchedule } from './run-schedule.ts';

export interface ScheduleOptions {
  readonly every: PeriodLength;
  /** A folder, or s3://bucket/prefix. */
  readonly into: string;
  /** Unix ms. */
  readonly since: number;
  readonly once: boolean;
  readonly format: string;
  /** Format and filters. */
  readonly query: URLSearchParams;
  readonly endpoint: string | null;
  readonly region: string;
}

/** Exports on a schedule until a signal ends the process, or once. */
export async function exportOnSchedule(source: ExportSource, options: ScheduleOptions): Promise<void> {
  const { every, into, since, once, format, query } = options;
  const destination = await destinationOf(into, options);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await runSchedule(
      {
        destination,
        format,
        query,
        stop: stop.signal,
        fetch: (given, path) => fetchFile({ ...source, query: given, path, onBytes: () => undefined }),
        onStored: (file, { rows, contentDigest }) =>
          print(`${into}: ${file}, ${plural(rows, 'signal')}, ${contentDigest}`),
      },
      {
        every,
        since,
        once,
        now: Date.now,
        onFailure: ({ message }, afterMs) =>
          printError(`cas: ${message}. Retrying in ${Math.round(afterMs / 1_000)} s`),
      },
    );
    print(once ? 'All complete periods are exported.' : 'Stopped.');
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    destination.close();
  }
}

async function destinationOf(
  into: string,
  { endpoint, region }: Pick<ScheduleOptions, 'endpoint' | 'region'>,
): Promise<Destination> {
  if (!isBucketAddress(into)) return folderDestination(into);
  // Imported here so that other commands do not load the library, which takes a fifth of a second.
  const { bucketDestination } = await import('./bucket-destination.ts');
  return bucketDestination(into, { endpoint, region, credentials: null });
}
