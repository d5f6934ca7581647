import { rmSync } from 'node:fs';
import { rememberedFolder, rememberFolder } from './folder.ts';

/** Releases the memory. */
export default function end(): void {
  const folder = rememberedFolder();
  if (folder === undefined) return;
  rememberFolder(undefined);
  rmSync(folder, { recursive: true, force: true });
}
