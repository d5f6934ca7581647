import { rmSync } from 'node:fs';
import { heldFolder, holdFolder } from './folder.ts';

/** Gives the memory back. */
export default function end(): void {
  const folder = heldFolder();
  if (folder === undefined) return;
  holdFolder(undefined);
  rmSync(folder, { recursive: true, force: true });
}
