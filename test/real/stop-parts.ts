import { rmSync } from 'node:fs';
import { heldPartSet, holdPartSet } from './part-set.ts';

/** Their data are thrown away, so there is nothing to end cleanly. */
export default async function stopParts(): Promise<void> {
  const set = heldPartSet();
  if (set === undefined) return;
  holdPartSet(undefined);
  await Promise.all(set.parts.map((part) => part.kill()));
  rmSync(set.folder, { recursive: true, force: true });
}
