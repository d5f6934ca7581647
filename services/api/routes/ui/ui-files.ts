import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UI_TYPES } from '#schemas/api/ui.ts';

/** A file of the dashboard as the build left it. */
export interface UiFile {
  readonly type: string;
  readonly plain: Buffer;
  /** The same compressed; null where that was not smaller. */
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
}

export interface UiFiles {
  /** What every path of the dashboard answers. */
  readonly page: UiFile;
  /** By name. Nothing else is served, so that no spelling of a name reaches the disk. */
  readonly assets: ReadonlyMap<string, UiFile>;
}

function fileAt(file: string, type: string): UiFile {
  const packed = (ending: string): Buffer | null =>
    existsSync(file + ending) ? readFileSync(file + ending) : null;
  return { type, plain: readFileSync(file), brotli: packed('.br'), gzip: packed('.gz') };
}

const isType = (ending: string): ending is keyof typeof UI_TYPES => Object.hasOwn(UI_TYPES, ending);

/** Reads the dashboard as it was built below `folder`, once, at start. */
export function readUiFiles(folder: string): UiFiles {
  const assets = new Map<string, UiFile>();
  const below = path.join(folder, 'assets');
  for (const name of readdirSync(below)) {
    const ending = path.extname(name);
    if (isType(ending)) assets.set(name, fileAt(path.join(below, name), UI_TYPES[ending]));
  }
  return { page: fileAt(path.join(folder, 'index.html'), 'text/html; charset=utf-8'), assets };
}
