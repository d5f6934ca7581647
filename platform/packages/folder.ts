import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { leastFreeOn, spaceOfFolder } from '#platform/data-folder/disk-watch.ts';
import { makePrivateFolder } from '#platform/data-folder/private-folder.ts';
import { checkedName, isPackageName } from './package-name.ts';
import { type PackageBytes, type PackageFiles, type PackageLocation, PackageStorageFull } from './port.ts';

/** Free space is checked after this many bytes. */
const LOOK_EVERY_BYTES = 16 * 1024 ** 2;

interface FolderOptions {
  readonly folder: string;
  /** Bytes that must stay free on the disk; null: derived from the size of the disk. */
  readonly leastFreeBytes: number | null;
  /** Space on the disk of a folder. Tests use it to simulate full disks. */
  readonly spaceOf?: typeof spaceOfFolder;
}

/**
 * Packages in a folder of this machine, or one that several machines share, with a subfolder per customer. Throws if
 * other users may enter it.
 */
export function packagesInFolder({
  folder,
  leastFreeBytes,
  spaceOf = spaceOfFolder,
}: FolderOptions): PackageFiles {
  makePrivateFolder(folder);
  const folderOf = (customerId: string): string => path.join(folder, checkedName(customerId));
  const fileOf = ({ customerId, name }: PackageLocation): string =>
    path.join(folderOf(customerId), checkedName(name));

  const demandRoom = async (): Promise<void> => {
    const { freeBytes, totalBytes } = await spaceOf(folder);
    if (freeBytes < leastFreeOn(totalBytes, leastFreeBytes) + LOOK_EVERY_BYTES)
      throw new PackageStorageFull();
  };

  return {
    write: async (location, content) => {
      const file = fileOf(location);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const handle = await open(file, 'wx', 0o600);
      try {
        await writePieces(handle, content, demandRoom);
        await handle.close();
        await syncFolder(path.dirname(file));
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(file, { force: true });
        throw isNoSpace(error) ? new PackageStorageFull() : error;
      }
    },
    open: async (location) => {
      const handle = await open(fileOf(location), 'r').catch(missing);
      return handle === null ? null : bytesOf(handle);
    },
    remove: (location) => rm(fileOf(location), { force: true }),
    removeAll: (customerId) => rm(folderOf(customerId), { recursive: true, force: true }),
    names: async (customerId) =>
      ((await readdir(folderOf(customerId)).catch(missing)) ?? [])
        .filter((name) => isPackageName(name))
        .sort(),
    customers: async () => {
      const found = await readdir(folder, { withFileTypes: true });
      const folders = found.filter((one) => one.isDirectory() && isPackageName(one.name));
      return folders.map(({ name }) => name).sort();
    },
  };
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

const isNoSpace = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

async function writePieces(
  handle: FileHandle,
  content: AsyncIterable<Uint8Array>,
  demandRoom: () => Promise<void>,
): Promise<void> {
  let unseen = LOOK_EVERY_BYTES;
  for await (const piece of content) {
    unseen += piece.length;
    if (unseen >= LOOK_EVERY_BYTES) {
      await demandRoom();
      unseen = 0;
    }
    await handle.writeFile(piece);
  }
  await handle.sync();
}

/** So that the name of a new file survives a crash, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function bytesOf(handle: FileHandle): Promise<PackageBytes> {
  const { size } = await handle.stat();
  return {
    size,
    read: async (from, to) => {
      const bytes = Buffer.allocUnsafe(to - from);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}
