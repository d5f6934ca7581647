import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Subject } from '#core/detect/find/text-model/text-model.ts';

/** Texts written for training, one per line; a line break in a text is written as `\n`. */
const FOLDER = path.join('tuning', 'training', 'texts');

interface Written {
  readonly file: string;
  readonly labels: Partial<Record<Subject, boolean>>;
}

const HARMLESS = { INJECTION: false, DANGEROUS: false, HATE: false } as const;

export const WRITTEN: readonly Written[] = [
  { file: 'injection-attacks', labels: { INJECTION: true } },
  { file: 'injection-harmless', labels: HARMLESS },
  { file: 'dangerous-unsafe', labels: { DANGEROUS: true, INJECTION: false } },
  { file: 'dangerous-safe', labels: HARMLESS },
  { file: 'hate-hateful', labels: { HATE: true, INJECTION: false } },
  { file: 'hate-contrast', labels: { HATE: false, INJECTION: false } },
];

/** The texts of a file. Must run in the project's root. */
export const readWritten = (file: string): string[] =>
  readFileSync(path.join(FOLDER, `${file}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replaceAll('\\n', '\n'));
