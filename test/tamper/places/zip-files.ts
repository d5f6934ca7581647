import { Readable } from 'node:stream';
import { openArchive } from '#core/evidence/package/archive.ts';
import { MANIFEST, SIGNATURE } from '#schemas/api/evidence/evidence-package.ts';
import { type ArchivePart, archiveFile } from '#services/api/evidence/packages/archive-file.ts';

/** A file of an archive. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const DAY = '2026-06-01T12:00:00.000Z';

export async function filesIn(archive: Buffer): Promise<ZipFile[]> {
  const { files, chunks } = await openArchive({
    size: archive.length,
    read: async (from, to) => archive.subarray(from, to),
  });
  const read: ZipFile[] = [];
  for (const name of files.keys())
    read.push({ name, bytes: Buffer.concat(await Readable.from(chunks(name)).toArray()) });
  return read;
}

/** The archive with the bytes of one file replaced (null: without the file), written as the service writes one. */
export async function withFile(archive: Buffer, changed: string, bytes: Buffer | null): Promise<Buffer> {
  const files = (await filesIn(archive)).map((file) => (file.name === changed ? { ...file, bytes } : file));
  const textOf = (name: string): string => String(files.find((file) => file.name === name)?.bytes ?? '');
  const parts = files.flatMap(({ name, bytes: own }): ArchivePart[] =>
    own === null || name === MANIFEST || name === SIGNATURE
      ? []
      : [{ name: name as ArchivePart['name'], content: () => one(own.toString()) }],
  );
  const written = archiveFile({
    issuedAt: DAY,
    parts,
    manifestText: () => textOf(MANIFEST),
    sign: () => textOf(SIGNATURE),
  });
  return Buffer.concat(await Readable.from(written).toArray());
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
