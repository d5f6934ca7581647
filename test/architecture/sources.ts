import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../platform/runtime/package-root.ts';

export interface SourceFile {
  /** Path from the package's folder, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Imported files, as paths from the package's folder; packages by their bare name. */
  readonly imports: readonly string[];
}

const FOLDERS = ['schemas', 'core', 'platform', 'services', 'cli', 'bench', 'deploy', 'tuning', 'test'];

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
  );

/** Every TypeScript source of the project with its imports. */
export function readSources(): SourceFile[] {
  const root = packageRoot();
  return FOLDERS.flatMap((folder) => listFiles(path.join(root, folder)))
    .filter((file) => file.endsWith('.ts'))
    .map((absolute) => {
      const file = path.relative(root, absolute).replaceAll(path.sep, '/');
      const text = readFileSync(absolute, 'utf8');
      const imports = [
        ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g),
      ]
        .map((match) => match[1] ?? match[2] ?? '')
        .map((name) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name));
      return { file, text, imports };
    });
}
