import { MANIFEST, PACKAGE_FILES, SIGNATURE } from '#schemas/api/evidence/evidence-package.ts';
import { PackageFault } from './package-fault.ts';

/**
 * Reads archives exactly as this service writes them: files with fixed names, stored uncompressed one after the other,
 * then the directory, then nothing. There is no decompression that could expand, no name that could point elsewhere, no
 * link, and no byte outside a file.
 */

/** Random access to a file in any storage. */
export interface ArchiveBytes {
  readonly size: number;
  /** The bytes from `from` (inclusive) to `to` (exclusive). */
  read(from: number, to: number): Promise<Uint8Array>;
}

interface ArchivedFile {
  readonly name: string;
  readonly size: number;
  /** Offset of its first byte. */
  readonly from: number;
}

export interface Archive {
  readonly files: ReadonlyMap<string, ArchivedFile>;
  /** The bytes of a file in pieces of up to 32 KiB. */
  chunks(name: string): AsyncGenerator<Uint8Array>;
}

/** 2 GiB: within the limits of the plain format, so that there is only one encoding. */
export const MAX_ARCHIVE_BYTES = 2 * 1024 ** 3;
const MAX_FILES = PACKAGE_FILES.length + 2;
const NAMES: readonly string[] = [...PACKAGE_FILES, MANIFEST, SIGNATURE];
/** Small, so that a verifier on a busy event loop can yield between reads. */
const PIECE_BYTES = 32 * 1024;

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const [END_MARK, ENTRY_MARK, LOCAL_MARK, DESCRIPTOR_MARK] = [0x06054b50, 0x02014b50, 0x04034b50, 0x08074b50];
/** Sizes follow the file (bit 3); the name is UTF-8 (bit 11). */
const [SIZES_AFTER, UTF_8] = [0x0008, 0x0800];
const DESCRIPTOR_BYTES = 16;
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;

function demand(holds: boolean, reason: string, file = 'archive'): asserts holds {
  if (!holds) throw new PackageFault(file, reason);
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function viewAt(bytes: ArchiveBytes, from: number, length: number): Promise<DataView> {
  demand(from >= 0 && from + length <= bytes.size, 'it ends too early');
  const read = await bytes.read(from, from + length);
  demand(read.byteLength === length, 'it ends too early');
  return viewOf(read);
}

/** The files of an archive. Throws `PackageFault` for anything that this service would not write. */
export async function openArchive(bytes: ArchiveBytes): Promise<Archive> {
  demand(
    bytes.size <= MAX_ARCHIVE_BYTES,
    `it has ${bytes.size} bytes, no package has more than ${MAX_ARCHIVE_BYTES}`,
  );
  const end = await viewAt(bytes, bytes.size - END_BYTES, END_BYTES);
  demand(
    end.getUint32(0, true) === END_MARK,
    'it is not a zip archive, its end is missing, or data follows the end',
  );
  const count = end.getUint16(10, true);
  const [length, start] = [end.getUint32(12, true), end.getUint32(16, true)];
  demand(
    end.getUint32(4, true) === 0 && end.getUint16(8, true) === count,
    'it is part of a multi-file archive',
  );
  demand(end.getUint16(20, true) === 0, 'it has a comment');
  demand(count <= MAX_FILES, `it has ${count} files; a package has ${MAX_FILES} at most`);
  demand(start + length === bytes.size - END_BYTES, 'its directory is not at its end');
  demand(length <= MAX_FILES * (ENTRY_BYTES + 256), 'its directory is too large');
  const directory = await viewAt(bytes, start, length);
  const files = new Map<string, ArchivedFile>();
  let [at, next] = [0, 0];
  for (let number = 0; number < count; number += 1) {
    const entry = entryAt(directory, at);
    demand(!files.has(entry.name), 'it occurs twice', entry.name);
    demand(entry.offset === next, 'there is data between its files');
    const { from, until } = await placeOf(bytes, entry, start);
    files.set(entry.name, { name: entry.name, size: entry.size, from });
    [at, next] = [entry.until, until];
  }
  demand(at === length && next === start, 'there is data between its files and its directory');
  return { files, chunks: (name) => chunksOf(bytes, files.get(name)) };
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly crc: number;
  /** Offset of its local header. */
  readonly offset: number;
  readonly until: number;
}

function entryAt(directory: DataView, at: number): Entry {
  demand(at + ENTRY_BYTES <= directory.byteLength, 'its directory ends too early');
  demand(directory.getUint32(at, true) === ENTRY_MARK, 'its directory is broken');
  const lengths = [28, 30, 32].map((index) => directory.getUint16(at + index, true));
  const [nameLength = 0, extra = 0, comment = 0] = lengths;
  const until = at + ENTRY_BYTES + nameLength + extra + comment;
  demand(until <= directory.byteLength, 'its directory ends too early');
  const name = nameAt(directory, at + ENTRY_BYTES, nameLength);
  const mode = directory.getUint16(at + 40, true);
  demand((mode & FILE_TYPE) === REGULAR_FILE, 'it is a link, a folder or a device', name);
  checkFlags(directory.getUint16(at + 8, true), directory.getUint16(at + 10, true), name);
  const [packed, size] = [directory.getUint32(at + 20, true), directory.getUint32(at + 24, true)];
  demand(packed === size, 'it is compressed; files of a package never are', name);
  const [crc, offset] = [directory.getUint32(at + 16, true), directory.getUint32(at + 42, true)];
  return { name, size, crc, offset, until };
}

function checkFlags(flags: number, method: number, name: string): void {
  demand(
    (flags & ~(SIZES_AFTER | UTF_8)) === 0,
    'it is encrypted, or of another kind than packages hold',
    name,
  );
  demand(method === 0, 'it is compressed; files of a package never are', name);
}

/** A permitted file name; errors never repeat any other. */
function nameAt(view: DataView, at: number, length: number): string {
  demand(at + length <= view.byteLength, 'a name ends too early');
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  const name = NAMES.find((one) => one.length === length && isAscii(bytes, one));
  demand(name !== undefined, 'it contains an unknown file');
  return name;
}

const isAscii = (bytes: Uint8Array, text: string): boolean =>
  bytes.every((byte, index) => byte === text.charCodeAt(index));

/** Offsets of a file's first byte and of the next file. */
async function placeOf(
  bytes: ArchiveBytes,
  { name, size, offset, crc }: Entry,
  limit: number,
): Promise<{ readonly from: number; readonly until: number }> {
  const header = await viewAt(bytes, offset, LOCAL_BYTES);
  demand(header.getUint32(0, true) === LOCAL_MARK, 'its header is broken', name);
  const flags = header.getUint16(6, true);
  checkFlags(flags, header.getUint16(8, true), name);
  const [nameLength, extra] = [header.getUint16(26, true), header.getUint16(28, true)];
  const local = await viewAt(bytes, offset + LOCAL_BYTES, nameLength);
  demand(nameAt(local, 0, nameLength) === name, 'its header has another name', name);
  const from = offset + LOCAL_BYTES + nameLength + extra;
  const isAfter = (flags & SIZES_AFTER) !== 0;
  const until = from + size + (isAfter ? DESCRIPTOR_BYTES : 0);
  demand(until <= limit, 'it ends too early', name);
  const sizes = isAfter ? await viewAt(bytes, from + size, DESCRIPTOR_BYTES) : header;
  if (isAfter) demand(sizes.getUint32(0, true) === DESCRIPTOR_MARK, 'its data descriptor is broken', name);
  const at = isAfter ? 4 : 14;
  const isSame =
    sizes.getUint32(at, true) === crc &&
    sizes.getUint32(at + 4, true) === size &&
    sizes.getUint32(at + 8, true) === size;
  demand(isSame, 'its header contradicts the directory', name);
  return { from, until };
}

async function* chunksOf(bytes: ArchiveBytes, file: ArchivedFile | undefined): AsyncGenerator<Uint8Array> {
  if (file === undefined) return;
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = Math.min(PIECE_BYTES, file.size - at);
    const read = await bytes.read(file.from + at, file.from + at + piece);
    demand(read.byteLength === piece, 'it ends too early', file.name);
    yield read;
  }
}
