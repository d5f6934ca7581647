import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder with tuning data: JSON lines, one case per line. */
export interface DataFolder {
  /** All cases of a file, such as `pii/synth-v2.jsonl`. Throws if the file is missing. */
  cases<Case>(file: string): readonly Case[];
  /** Tab-separated fields of a file. Lines that start with a number sign are comments. */
  rows(file: string): readonly (readonly string[])[];
}

function openDataFolder(folder: string): DataFolder {
  if (!existsSync(folder)) throw new Error(`DETECT_DATA is ${folder}, and there is no such folder`);
  const lines = (file: string): readonly string[] =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  return {
    rows: (file) =>
      lines(file)
        .filter((line) => !line.startsWith('# '))
        .map((line) => line.split('\t')),
    cases: <Case>(file: string) => lines(file).map((line) => JSON.parse(line) as Case),
  };
}

/** The folder named by DETECT_DATA; null if it is not set. */
export function dataFolderOf({ DETECT_DATA: folder }: NodeJS.ProcessEnv): DataFolder | null {
  return folder === undefined || folder === '' ? null : openDataFolder(folder);
}
