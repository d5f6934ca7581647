import { rmSync } from 'node:fs';
import { heldFolder, holdFolder } from './folder.ts';

/** Releases the memory. */
export default function end(): void {
  const folder = heldFolder();
  if (folder === undefined) return;
  holdFolder(undefined);
  rmSync(folder, { recursive: true, force: true });
}
