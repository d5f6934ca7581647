import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#platform/telemetry/logger.ts';

/** Default minimum of free space: this share of the file system, capped at a number of bytes. */
const MIN_SHARE = 0.05;
const MAX_BY_DEFAULT_BYTES = 1024 ** 3;
/** Below this multiple of the minimum, operators are warned. */
const WARN_TIMES = 2;

interface FileSystemSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Space on the file system that holds a folder. */
export interface FolderSpace extends FileSystemSpace {
  /** What is stored there: log, state or warehouse. */
  readonly name: string;
  /** With less than this, clients' records are refused. */
  readonly leastFreeBytes: number;
  readonly level: 'fits' | 'warns' | 'refuses';
}

/** Bytes that have to stay free on a file system; `configured` null: derived from its size. */
export const leastFreeOn = (totalBytes: number, configured: number | null): number =>
  configured ?? Math.min(Math.floor(totalBytes * MIN_SHARE), MAX_BY_DEFAULT_BYTES);

interface DiskWatchOptions {
  /** Folders by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** null: derived from the size of each file system. */
  readonly leastFreeBytes: number | null;
  readonly logger: Pick<Logger, 'warn'>;
  readonly intervalMs?: number;
  /** Space of the file system that holds the folder. Tests simulate full disks with it. */
  readonly spaceOf?: (folder: string) => Promise<FileSystemSpace>;
}

export interface DiskWatch {
  /** As of the last check. */
  spaces(): readonly FolderSpace[];
  /** Why clients' records are refused now, or null. */
  shortage(): string | null;
  /** Checks now. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Space that this process may use on a folder's file system; of the nearest parent when the folder is missing. */
export async function spaceOfFolder(folder: string): Promise<FileSystemSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return spaceOfFolder(parent);
  }
}

/**
 * Watches the file systems of the embedded stores. All of them fail on a full disk: the log refuses every record, the
 * warehouse's inserts fail, and nothing can even be deleted. So clients are refused earlier, and the rest is kept for
 * what was already accepted.
 */
export async function watchDisk(options: DiskWatchOptions): Promise<DiskWatch> {
  const { folders, leastFreeBytes, logger, intervalMs = 1_000, spaceOf = spaceOfFolder } = options;
  let spaces: readonly FolderSpace[] = [];

  const lookAt = async ([name, folder]: [string, string]): Promise<FolderSpace> => {
    const { freeBytes, totalBytes } = await spaceOf(folder);
    const least = leastFreeOn(totalBytes, leastFreeBytes);
    const warns = freeBytes < least * WARN_TIMES ? 'warns' : 'fits';
    const level = freeBytes < least ? 'refuses' : warns;
    return { name, freeBytes, totalBytes, leastFreeBytes: least, level };
  };
  const look = async (): Promise<void> => {
    spaces = await Promise.all(Object.entries(folders).map(lookAt));
  };

  await look();
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    // The last result stays valid: a folder that cannot be checked is a problem of the store in it.
    looking ??= look()
      .catch((err: unknown) => logger.warn({ err }, 'failed to read free disk space'))
      .finally(() => {
        looking = null;
      });
  }, intervalMs);
  timer.unref();
  return {
    spaces: () => spaces,
    shortage() {
      const short = spaces.find(({ level }) => level === 'refuses');
      return short === undefined
        ? null
        : `the disk of the ${short.name} has ${short.freeBytes} bytes free, less than DATA_MIN_FREE_BYTES (${short.leastFreeBytes})`;
    },
    look,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
