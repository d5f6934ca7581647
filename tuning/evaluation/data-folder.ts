import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder with tuning data: JSON lines, one case per line. */
export interface DataFolder {
  /** All cases of a file, such as `pii/synth-v2.jsonl`. Throws when the file is not there. */
  cases<Case>(file: string): readonly Case[];
}

function openDataFolder(folder: string): DataFolder {
  if (!existsSync(folder)) throw new Error(`DETECT_DATA is ${folder}, and there is no such folder`);
  return {
    cases: <Case>(file: string) =>
      readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Case),
  };
}

/** The folder named by DETECT_DATA; null when it is not set. */
export function dataFolderOf({ DETECT_DATA: folder }: NodeJS.ProcessEnv): DataFolder | null {
  return folder === undefined || folder === '' ? null : openDataFolder(folder);
}
