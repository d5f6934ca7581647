import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { UI_TYPES } from '#schemas/api/ui.ts';

/** A built file of the dashboard. */
export interface UiFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Same, compressed; null if that is not smaller. */
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface UiFiles {
  /** The answer to every path of the dashboard. */
  readonly page: UiFile;
  /** By name. Nothing else is served, so no spelling of a name reaches the disk. */
  readonly assets: ReadonlyMap<string, UiFile>;
}

function fileAt(file: string, type: string): UiFile {
  const packed = (ending: string): Buffer | null =>
    existsSync(file + ending) ? readFileSync(file + ending) : null;
  return { type, plain: readFileSync(file), brotli: packed('.br'), gzip: packed('.gz') };
}

const isType = (ending: string): ending is keyof typeof UI_TYPES => Object.hasOwn(UI_TYPES, ending);

/** How the built page names its files: relative to itself, at any depth below `/ui`. */
const BUILT_ASSETS = '"./assets/';

/** The page with the addresses of its files, compressed again: it is small, and read only at start. */
function pageAt(file: string, basePath: string): UiFile {
  const text = readFileSync(file, 'utf8').replaceAll(BUILT_ASSETS, `"${basePath}/ui/assets/`);
  const plain = Buffer.from(text);
  return {
    type: 'text/html; charset=utf-8',
    plain,
    brotli: brotliCompressSync(plain),
    gzip: gzipSync(plain),
  };
}

/**
 * Reads the built dashboard below `folder`, once, at start. `basePath`: where a proxy serves the service, which no
 * build knows.
 */
export function readUiFiles(folder: string, basePath = ''): UiFiles {
  const assets = new Map<string, UiFile>();
  const below = path.join(folder, 'assets');
  for (const name of readdirSync(below)) {
    const ending = path.extname(name);
    if (isType(ending)) assets.set(name, fileAt(path.join(below, name), UI_TYPES[ending]));
  }
  return { page: pageAt(path.join(folder, 'index.html'), basePath), assets };
}
