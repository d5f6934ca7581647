import { type FileHandle, open } from 'node:fs/promises';
import { ProofFault } from '#core/evidence/checkpoint/check-proof.ts';
import type { NoteKey } from '#core/evidence/checkpoint/verifier-key.ts';
import type { ArchiveBytes } from '#core/evidence/package/archive.ts';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { fileFault } from '../command/file-fault.ts';

/** Start of a zip archive. */
const ZIP = Buffer.from('PK');
const SHOWN_FAULTS = 20;

/** Whether a file is an archive, rather than a proof, receipt or note. */
export async function isArchive(file: string): Promise<boolean> {
  const handle = await opened(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
    return bytesRead === ZIP.length && buffer.equals(ZIP);
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    await handle.close();
  }
}

const unreadable = (file: string, error: unknown): ProofFault =>
  new ProofFault(`Cannot read ${file}: ${fileFault(error)}`);

async function opened(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Random access to an archive file's bytes. */
async function archiveBytes(handle: FileHandle): Promise<ArchiveBytes> {
  const { size } = await handle.stat();
  return {
    size,
    read: async (from, to) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** What an evidence package proves, one line each. Throws a `ProofFault` that names every invalid file. */
export async function provedByArchive(file: string, keys: readonly NoteKey[]): Promise<readonly string[]> {
  const handle = await open(file, 'r');
  try {
    const { faults, facts } = await verifyPackage(await archiveBytes(handle), keys);
    if (faults.length === 0) return facts;
    const shown = faults.slice(0, SHOWN_FAULTS).map(({ file: name, reason }) => `${name}: ${reason}`);
    throw new ProofFault(`The package is not valid:\n${shown.map((line) => `no   ${line}`).join('\n')}`);
  } finally {
    await handle.close();
  }
}
