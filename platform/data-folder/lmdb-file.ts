import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * An LMDB file does not contain what LMDB wrote. The library maps the file into memory and trusts it: opening it would
 * end the process with SIGBUS or SIGSEGV and without a message.
 */
export class DamagedFile extends Error {
  constructor(file: string, what: string) {
    super(
      `${file} is damaged: ${what}. Nothing was started or changed. Stop the service, move the file away, restore the whole data folder from its backup, and check the disk`,
    );
    this.name = 'DamagedFile';
  }
}

/** LMDB's file format, version 2, little endian: a header, followed by content that depends on the page type. */
const HEADER_BYTES = 24;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_PAGES = 2;
const META_BYTES = 168;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;
/** Flags of a leaf node: its value is on overflow pages; it is the root of a table. */
const ON_OVERFLOW = 0x01;
const TABLE = 0x02;
const NODE_BYTES = 8;
const OVERFLOW_REFERENCE_BYTES = 24;
const TABLE_BYTES = 48;
/** Smallest and largest page size that LMDB supports. */
const MIN_PAGE_BYTES = 256;
const LARGEST_PAGE_BYTES = 65_536;
const DEEPEST_TREE = 32;
/** Maximum number of leaf bytes to read, newest records first: more would delay startup by seconds per gigabyte. */
const LEAF_BYTES_READ = 256 * 1024 ** 2;

interface Tree {
  readonly root: bigint;
  /** Levels of pages, including the leaves. */
  readonly depth: number;
}

interface MetaPage {
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** The two trees of the file: free pages, and tables. */
  readonly trees: readonly Tree[];
}

/**
 * Checks every tree of an LMDB file before the library opens it: the meta pages, and that each page in use lies within
 * the file and has the format required at its position. Does not check values or read overflow pages. In a large file
 * it also skips the older leaves, and so what they point to, unless the file is shorter than it says. Throws
 * `DamagedFile`; a missing or empty file is new. Call this only while no process has the file open.
 */
export function checkLmdbFile(file: string, maxLeafBytes = LEAF_BYTES_READ): void {
  if (!existsSync(file)) return;
  const opened = openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    if (size > 0) new FileWalk(file, opened, size, maxLeafBytes).check();
  } finally {
    closeSync(opened);
  }
}

class FileWalk {
  readonly #file: string;
  readonly #opened: number;
  readonly #size: number;
  #pageBytes = MIN_PAGE_BYTES;
  /** Number of pages that may be in use: the file may have fewer than the meta page says if the last ones are free. */
  #pages = META_PAGES;
  #seen = new Uint8Array();
  /** Number of leaf bytes still to be read. */
  #leafBytes: number;

  constructor(file: string, opened: number, size: number, maxLeafBytes: number) {
    this.#file = file;
    this.#opened = opened;
    this.#size = size;
    this.#leafBytes = maxLeafBytes;
  }

  check(): void {
    const first = this.#meta(0);
    this.#pageBytes = first.pageBytes;
    const second = this.#meta(1);
    if (second.pageBytes !== first.pageBytes) throw this.#damaged('its two meta pages differ in page size');
    const newest = second.transaction > first.transaction ? second : first;
    const wholePages = Math.floor(this.#size / this.#pageBytes);
    this.#pages = Math.min(newest.lastPage + 1, wholePages);
    // Either its last pages are free and were never written, or the file was truncated; only reading all leaves can
    // tell.
    if (wholePages <= newest.lastPage) this.#leafBytes = Infinity;
    this.#seen = new Uint8Array(this.#pages);
    this.#follow(newest.trees);
  }

  #meta(number: number): MetaPage {
    const page = this.#read(number * this.#pageBytes, HEADER_BYTES + META_BYTES);
    const meta = page.subarray(HEADER_BYTES);
    if ((page.readUInt16LE(18) & META) === 0 || meta.readUInt32LE(0) !== MAGIC)
      throw this.#damaged(`meta page ${number} is not an LMDB page`);
    if ((meta.readUInt32LE(4) & 0xffff) !== VERSION)
      throw this.#damaged(`meta page ${number} has another LMDB format version than ${VERSION}`);
    const pageBytes = meta.readUInt32LE(24);
    const isSize =
      pageBytes >= MIN_PAGE_BYTES &&
      pageBytes <= LARGEST_PAGE_BYTES &&
      Number.isInteger(Math.log2(pageBytes));
    if (!isSize) throw this.#damaged(`meta page ${number} has an impossible page size`);
    return {
      pageBytes,
      lastPage: Number(meta.readBigUInt64LE(120)),
      transaction: meta.readBigUInt64LE(128),
      trees: [treeAt(meta, 24), treeAt(meta, 72)],
    };
  }

  #follow(trees: readonly Tree[]): void {
    const open = [...trees];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { root, depth } = next;
      if (root === NO_PAGE) continue;
      if (depth < 1 || depth > DEEPEST_TREE) throw this.#damaged('it has a tree of an impossible depth');
      const number = this.#take(root, 1);
      if (depth > 1) {
        for (const child of this.#branch(number)) open.push({ root: child, depth: depth - 1 });
      } else if (this.#leafBytes > 0) {
        this.#leafBytes -= this.#pageBytes;
        open.push(...this.#leaf(number));
      }
    }
  }

  /** The number of a page, after checking that it is in the file and used only here. */
  #take(number: bigint, count: number): number {
    if (number < META_PAGES || number + BigInt(count) > this.#pages)
      throw this.#damaged(
        `page ${number} is in use, but the file ends after ${this.#pages} pages: it was truncated or overwritten`,
      );
    const first = Number(number);
    for (let at = first; at < first + count; at += 1) {
      if (this.#seen[at] === 1) throw this.#damaged(`page ${at} is used twice: it was overwritten`);
      this.#seen[at] = 1;
    }
    return first;
  }

  /** The pages that a branch page points to. */
  #branch(number: number): bigint[] {
    const page = this.#nodes(number, BRANCH);
    return startsOf(page).map((start) => {
      if (start + NODE_BYTES > page.length) throw this.#misfit(number);
      return BigInt(page.readUInt32LE(start)) + (BigInt(page.readUInt16LE(start + 4)) << 32n);
    });
  }

  /** The trees of the tables in a leaf. */
  #leaf(number: number): Tree[] {
    const page = this.#nodes(number, LEAF);
    return startsOf(page).flatMap((start) => {
      const table = this.#value(page, start, number);
      return table === null ? [] : [table];
    });
  }

  /** A page of a tree whose type, number and space for entries have been checked. */
  #nodes(number: number, kind: number): Buffer {
    const page = this.#read(number * this.#pageBytes, this.#pageBytes);
    const isKind = (page.readUInt16LE(18) & (BRANCH | LEAF | OVERFLOW | META)) === kind;
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
    const space = this.#pageBytes - HEADER_BYTES;
    if (!isKind || page.readBigUInt64LE(0) !== BigInt(number) || lower > upper || upper > space)
      throw this.#damaged(`page ${number} is not the expected tree page: it was overwritten`);
    return page;
  }

  /** null: the value is not a table. */
  #value(page: Buffer, start: number, number: number): Tree | null {
    if (start + NODE_BYTES > page.length) throw this.#misfit(number);
    const bytes = page.readUInt32LE(start);
    const flags = page.readUInt16LE(start + 4);
    const data = start + NODE_BYTES + page.readUInt16LE(start + 6);
    const isOutside = (flags & ON_OVERFLOW) !== 0;
    if (data + (isOutside ? OVERFLOW_REFERENCE_BYTES : bytes) > page.length) throw this.#misfit(number);
    if (isOutside) {
      const pages = page.readBigUInt64LE(data + 16);
      const isEnough = pages * BigInt(this.#pageBytes) >= BigInt(HEADER_BYTES + bytes);
      if (!isEnough || pages > BigInt(this.#pages)) throw this.#misfit(number);
      this.#take(page.readBigUInt64LE(data), Number(pages));
      return null;
    }
    if ((flags & TABLE) === 0) return null;
    if (bytes !== TABLE_BYTES) throw this.#misfit(number);
    return treeAt(page, data);
  }

  #read(position: number, bytes: number): Buffer {
    const page = Buffer.allocUnsafe(bytes);
    const read = readSync(this.#opened, page, 0, bytes, position);
    if (read < bytes) throw this.#damaged(`it ends in the middle of a page: it was truncated`);
    return page;
  }

  #misfit(number: number): DamagedFile {
    return this.#damaged(`page ${number} has entries that do not fit into it: it was overwritten`);
  }

  #damaged(what: string): DamagedFile {
    return new DamagedFile(this.#file, what);
  }
}

/** A table's record: 48 bytes. */
const treeAt = (bytes: Buffer, at: number): Tree => ({
  root: bytes.readBigUInt64LE(at + 40),
  depth: bytes.readUInt16LE(at + 6),
});

/** Offsets of a page's entries. */
const startsOf = (page: Buffer): number[] =>
  Array.from(
    { length: Math.ceil(page.readUInt16LE(20) / 2) },
    (_, n) => HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + 2 * n),
  );
