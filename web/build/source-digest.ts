import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What the built files are a function of, besides the runtime: sources, what they import of ours, and the lock file. */
const SOURCES = ['web', 'schemas', 'core/evidence', 'page/browser', 'page/build'];
const FILES = ['package-lock.json'];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const own = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(own) : [own];
    });
}

/** SHA-256 over names and contents, in hex. */
export function sourceDigest(root: string): string {
  const files = [
    ...SOURCES.flatMap((folder) => filesBelow(path.join(root, folder))),
    ...FILES.map((file) => path.join(root, file)),
  ];
  const digest = createHash('sha256');
  for (const file of files.sort()) {
    const content = readFileSync(file);
    digest.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}
