import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileFault } from '../command/file-fault.ts';
import { openProgressFile, type ProgressFile, type Target } from './progress-file.ts';

interface Wanted {
  /** The value of --progress; null when absent. */
  readonly named: string | null;
  /** The ingested file; null for a stream, which another run cannot read again. */
  readonly file: string | null;
  /** This user's folder for program state. */
  readonly stateFolder: string;
  readonly target: Target;
}

export interface ChosenProgress {
  readonly progress: ProgressFile;
  /** Null: outcomes are not kept. */
  readonly path: string | null;
  /** Why outcomes are kept elsewhere or nowhere; null when they are in the usual location. */
  readonly notice: string | null;
}

const NOT_WRITABLE: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR'];

/**
 * Opens the file with the outcomes of earlier runs: the named one, or the one next to the ingested file, or, if that
 * folder is not writable, one in the state folder. Streams have none unless it is named.
 */
export async function chooseProgress({ named, file, stateFolder, target }: Wanted): Promise<ChosenProgress> {
  if (named !== null) return { progress: await openNamed(named, target), path: named, notice: null };
  if (file === null) return { progress: noProgress(), path: null, notice: null };
  const adjacent = `${file}.cas-progress`;
  const first = await tryOpen(adjacent, target);
  if (!(first instanceof Error)) return { progress: first, path: adjacent, notice: null };
  const other = stateFile(stateFolder, file);
  const second = madeFolder(path.dirname(other)) ? await tryOpen(other, target) : null;
  if (second !== null && !(second instanceof Error))
    return {
      progress: second,
      path: other,
      notice: `${adjacent} is not writable. Results are recorded in ${other}`,
    };
  return {
    progress: noProgress(),
    path: null,
    notice: `Neither ${adjacent} nor ${other} is writable, so results are not recorded: another run sends all lines again (none is accepted twice within 24 hours). Name a file with --progress to record them`,
  };
}

async function openNamed(file: string, target: Target): Promise<ProgressFile> {
  const opened = await tryOpen(file, target);
  if (opened instanceof Error) throw new Error(`Cannot write --progress ${file}: ${fileFault(opened)}`);
  return opened;
}

/** Returns an error when this user cannot write it. */
async function tryOpen(file: string, target: Target): Promise<ProgressFile | Error> {
  try {
    return await openProgressFile(file, target);
  } catch (error) {
    if (NOT_WRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return error as Error;
    throw error;
  }
}

function madeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** One per path: files with the same name in several folders have separate ones. */
function stateFile(stateFolder: string, file: string): string {
  const absolute = path.resolve(file);
  const digest = createHash('sha256').update(absolute).digest('hex').slice(0, 16);
  return path.join(stateFolder, 'cas', 'ingest', `${path.basename(file)}-${digest}.cas-progress`);
}

const noProgress = (): ProgressFile => ({
  of: async () => [],
  add: async () => undefined,
  close: async () => undefined,
});
