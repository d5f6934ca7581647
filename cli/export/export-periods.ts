import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { RequestFailed } from '../command/client.ts';
import type { Destination } from './destination.ts';
import type { FetchedFile } from './fetch-file.ts';
import type { Period } from './periods.ts';

/** Stored next to a file, and written after it: a period with a manifest is done. */
interface PeriodManifest extends Pick<FetchedFile, 'contentDigest' | 'rows' | 'asOf' | 'treeSize'> {
  readonly file: string;
  /** Parameters of the export, with which `cas export --check` and the service reproduce the file. */
  readonly query: string;
}

export interface ScheduledExport {
  readonly destination: Destination;
  readonly format: string;
  /** Parameters of all periods: format and filters. */
  readonly query: URLSearchParams;
  /** Fetches an export with these parameters into a file, and verifies it. */
  readonly fetch: (query: string, path: string) => Promise<FetchedFile>;
  readonly onStored: (file: string, manifest: PeriodManifest) => void;
  /** Ends the work after the current period. */
  readonly stop: AbortSignal;
}

/** The destination has another schedule's files. */
export class OtherOptions extends RequestFailed {
  constructor(manifest: string, query: string | null) {
    const fault = query === null ? 'is not readable' : `was made with other options (${query})`;
    super(`${manifest} ${fault}. Use the same options, or another folder`, null, null);
  }
}

const manifestName = (file: string): string => `${file}.manifest.json`;

/**
 * Exports the periods without a manifest at the destination, oldest first: after a crash, unfinished periods are
 * exported again under the same names. Throws when a manifest was made with other options, because the destination then
 * belongs to another schedule.
 */
export async function exportPeriods(job: ScheduledExport, periods: readonly Period[]): Promise<void> {
  const { destination, format, stop } = job;
  for (const period of periods) {
    if (stop.aborted) return;
    const file = `signals-${period.name}.${format}`;
    const query = queryOf(job.query, period);
    const known = await destination.readText(manifestName(file));
    if (known === null) await exportPeriod(job, file, query);
    else if (queryIn(known) !== query) throw new OtherOptions(manifestName(file), queryIn(known));
  }
}

async function exportPeriod(
  { destination, fetch, onStored }: ScheduledExport,
  file: string,
  query: string,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cas-export-'));
  try {
    const fetched = await fetch(query, path.join(folder, file));
    const { contentDigest, rows, asOf, treeSize } = fetched;
    const manifest = { file, query, contentDigest, rows, asOf, treeSize };
    await destination.store(file, fetched.path);
    await destination.storeText(manifestName(file), `${JSON.stringify(manifest, null, 2)}\n`);
    onStored(file, manifest);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function queryOf(query: URLSearchParams, { from, to }: Period): string {
  const all = new URLSearchParams(query);
  all.set('from', new Date(from).toISOString());
  all.set('to', new Date(to).toISOString());
  return all.toString();
}

function queryIn(manifest: string): string | null {
  try {
    const { query } = JSON.parse(manifest) as Partial<PeriodManifest>;
    return query ?? null;
  } catch {
    return null;
  }
}
