import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from './logger.ts';

/** Least free space by default: this share of the file system, and never more than so many bytes. */
const LEAST_SHARE = 0.05;
const MOST_BY_DEFAULT_BYTES = 1024 ** 3;
/** Below so many times the least, somebody should look. */
const WARN_TIMES = 2;

export interface FileSystemSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Space on the file system that holds a folder. */
export interface FolderSpace extends FileSystemSpace {
  /** What lies there: log, state or warehouse. */
  readonly name: string;
  /** With less than this, clients' records are refused. */
  readonly leastFreeBytes: number;
  readonly level: 'fits' | 'warns' | 'refuses';
}

export interface DiskWatchOptions {
  /** Folders by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** null: by the size of each file system. */
  readonly leastFreeBytes: number | null;
  readonly logger: Pick<Logger, 'warn'>;
  readonly intervalMs?: number;
  /** Space of the file system that holds the folder. Tests fill disks with it. */
  readonly spaceOf?: (folder: string) => Promise<FileSystemSpace>;
}

export interface DiskWatch {
  /** As they were looked at last. */
  spaces(): readonly FolderSpace[];
  /** Why clients' records are refused now, or null. */
  shortage(): string | null;
  /** Looks now. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Space on a folder's file system that this process may write to; of one that is not made yet, where it will be. */
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
 * Watches the file systems of the embedded parts. None of them survives a full disk without an error: the log refuses
 * every record then, the warehouse's inserts fail, and nothing can even be deleted. So clients are refused before, and
 * the rest is for what was accepted already.
 */
export async function watchDisk(options: DiskWatchOptions): Promise<DiskWatch> {
  const { folders, leastFreeBytes, logger, intervalMs = 1_000, spaceOf = spaceOfFolder } = options;
  let spaces: readonly FolderSpace[] = [];

  const lookAt = async ([name, folder]: [string, string]): Promise<FolderSpace> => {
    const { freeBytes, totalBytes } = await spaceOf(folder);
    const least = leastFreeBytes ?? Math.min(Math.floor(totalBytes * LEAST_SHARE), MOST_BY_DEFAULT_BYTES);
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
    // What was seen last counts on: a folder that cannot be looked at is the concern of the part that lies there.
    looking ??= look()
      .catch((err: unknown) => logger.warn({ err }, 'the free space of the data folder cannot be told'))
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
        : `${short.freeBytes} bytes are free where the ${short.name} lies, DATA_MIN_FREE_BYTES are ${short.leastFreeBytes}`;
    },
    look,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
