import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '#platform/telemetry/logger.ts';

/** Default minimum of free space: this share of the file system, capped at a number of bytes. */
const MIN_SHARE = 0.05;
const MAX_BY_DEFAULT_BYTES = 1024 ** 3;
/** Operators are warned below this multiple of the minimum. */
const WARN_TIMES = 2;

interface FileSystemSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Space on the file system that holds a folder. */
export interface FolderSpace extends FileSystemSpace {
  /** The store in the folder: log, state or warehouse. */
  readonly name: string;
  /** Clients' records are refused below this. */
  readonly leastFreeBytes: number;
  readonly level: 'fits' | 'warns' | 'refuses';
}

/** Bytes that must stay free on a file system; `configured` null: derived from its size. */
export const leastFreeOn = (totalBytes: number, configured: number | null): number =>
  configured ?? Math.min(Math.floor(totalBytes * MIN_SHARE), MAX_BY_DEFAULT_BYTES);

interface DiskWatchOptions {
  /** Folders by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** null: derived from the size of each file system. */
  readonly leastFreeBytes: number | null;
  readonly logger: Pick<Logger, 'warn'>;
  readonly intervalMs?: number;
  /** Space on the file system that contains the folder. Tests use it to simulate full disks. */
  readonly spaceOf?: (folder: string) => Promise<FileSystemSpace>;
}

export interface DiskWatch {
  /** As of the last check. */
  spaces(): readonly FolderSpace[];
  /** Why clients' records are currently refused, or null. */
  shortage(): string | null;
  /** Checks now. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Space that this process may use on a folder's file system; of the nearest existing parent if the folder is missing.
 */
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
 * Watches the file systems of the embedded stores. All stores fail on a full disk: the log refuses every record, the
 * warehouse's inserts fail, and nothing can even be deleted. So clients are refused earlier, and the remaining space is
 * reserved for records that were already accepted.
 */
export async function watchDisk(options: DiskWatchOptions): Promise<DiskWatch> {
  const { folders, leastFreeBytes, logger, intervalMs = 1_000, spaceOf = spaceOfFolder } = options;
  let spaces: readonly FolderSpace[] = [];

  const readSpace = async ([name, folder]: [string, string]): Promise<FolderSpace> => {
    const { freeBytes, totalBytes } = await spaceOf(folder);
    const least = leastFreeOn(totalBytes, leastFreeBytes);
    const warns = freeBytes < least * WARN_TIMES ? 'warns' : 'fits';
    const level = freeBytes < least ? 'refuses' : warns;
    return { name, freeBytes, totalBytes, leastFreeBytes: least, level };
  };
  const look = async (): Promise<void> => {
    spaces = await Promise.all(Object.entries(folders).map(readSpace));
  };

  await look();
  let checking: Promise<void> | null = null;
  const timer = setInterval(() => {
    // The last result stays valid: a folder that cannot be checked is a problem of its store.
    checking ??= look()
      .catch((err: unknown) => logger.warn({ err }, 'failed to read free disk space'))
      .finally(() => {
        checking = null;
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
      await checking;
    },
  };
}
