import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import {
  MANIFEST,
  type Manifest,
  type PackageFile,
  SIGNATURE,
} from '#schemas/api/evidence/evidence-package.ts';

/** One file of the archive; `content` is called once, when its turn comes. */
export interface ArchivePart {
  readonly name: PackageFile;
  content(): AsyncIterable<string>;
}

interface ArchiveOptions {
  /** ISO 8601: the date of all files. */
  readonly issuedAt: string;
  /** Ordered by name. */
  readonly parts: readonly ArchivePart[];
  readonly manifestText: (files: Manifest['files']) => string;
  /** Returns the signed note with that text. */
  readonly sign: (text: string) => string;
}

/**
 * The bytes of a package. Files are stored uncompressed, because a compressor's output changes with its version. So
 * equal content has equal bytes everywhere, and a reader has nothing to unpack. Manifest and signature come last, when
 * the digests of all others are known. A part whose source fails makes the archive fail.
 */
export async function* archiveFile({
  issuedAt,
  parts,
  manifestText,
  sign,
}: ArchiveOptions): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const giveUp = (error: Error): void => void output.destroy(error);
  zip.on('error', giveUp);
  const sources = new Set<Readable>();
  const add = (name: string, content: () => AsyncIterable<Buffer>): void =>
    zip.addReadStreamLazy(name, optionsOf(issuedAt), (callback) => {
      const source = Readable.from(content(), { objectMode: false });
      sources.add(source);
      // The archive does not notice a failing source.
      source.once('error', giveUp);
      source.once('close', () => sources.delete(source));
      callback(null, source);
    });
  const files: Manifest['files'] = [];
  let text = '';
  for (const part of parts) add(part.name, () => measured(part, files));
  add(MANIFEST, () => {
    text = manifestText(files);
    return one(text);
  });
  add(SIGNATURE, () => one(sign(text)));
  zip.end();
  try {
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    for (const source of sources) source.destroy();
  }
}

/** Noon, which no clock change skips, in the local-time fields of the format: the same in every time zone. */
function optionsOf(issuedAt: string) {
  const [year = 1980, month = 1, day = 1] = issuedAt.slice(0, 10).split('-').map(Number);
  const mtime = new Date(year, month - 1, day, 12);
  return { mtime, forceDosTimestamp: true, mode: 0o100644, compress: false };
}

async function* one(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** The part's bytes; records its digest and size once all have passed. */
async function* measured({ name, content }: ArchivePart, files: Manifest['files']): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let size = 0;
  for await (const text of content()) {
    const bytes = Buffer.from(text);
    digest.update(bytes);
    size += bytes.length;
    yield bytes;
  }
  files.push({ name, sha256: digest.digest('hex'), size });
}
