import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SHIPPED } from '../architecture/layers.ts';

export interface Source {
  /** Path relative to the root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

const TEST = /\.test\.tsx?$|\/testing\/|(^|\/)contract\.ts$|\.contract\.ts$/;
/** Trained weights with kilobytes per line. */
const GENERATED = /^core\/detect\/judge\/models\//;
/** Build steps and lint rules of the dashboard. */
const TOOLS = /^web\/(build|lint|vite\.config)/;

/** The shipped sources of a checkout, without tests. Skips folders that the checkout does not have. */
export function readSources(root: string): Source[] {
  return SHIPPED.flatMap((folder) => filesBelow(path.join(root, folder)))
    .map((name) => path.relative(root, name).split(path.sep).join('/'))
    .filter((file) => !TEST.test(file) && !GENERATED.test(file) && !TOOLS.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|html)$/.test(entry.name))
      .filter(({ parentPath }) => !parentPath.includes('node_modules'))
      .map((entry) => path.join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
