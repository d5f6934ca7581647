import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { auditsOf } from './mixtures.ts';
import type { ComparedAudit } from './releases.ts';

/** Folders with texts used to test, evaluate and measure detectors. */
const FOLDERS = [
  'core/detect',
  'tuning/evaluation/sets',
  'tuning/training/texts',
  'bench/detect',
  'bench/load',
  'examples',
];

const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const ESCAPED = /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi;
const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

const unescaped = (literal: string): string =>
  literal.replaceAll(ESCAPED, (_whole, braced?: string, unicode?: string, hex?: string, other?: string) =>
    other === undefined
      ? String.fromCodePoint(Number.parseInt(braced ?? unicode ?? hex ?? '', 16))
      : (NAMED[other] ?? other),
  );

/** The string literals of a source file, roughly: a comment's apostrophe gives a text as well. */
const literalsOf = (source: string): string[] =>
  [...source.matchAll(LITERAL)].map(([, single, double, template]) =>
    unescaped(single ?? double ?? template ?? ''),
  );

/** All strings in a JSON value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

function textsOfFile(file: string): string[] {
  const extension = path.extname(file);
  if (extension === '.ts') return literalsOf(readFileSync(file, 'utf8'));
  if (extension === '.json') return stringsIn(JSON.parse(readFileSync(file, 'utf8')));
  if (extension === '.txt') return linesOf(file);
  if (extension === '.ndjson' || extension === '.jsonl')
    return linesOf(file).flatMap((line) => stringsIn(JSON.parse(line)));
  return [];
}

/** Where the trained models are: no text that anybody wrote. */
const MODELS = `${path.sep}find${path.sep}models${path.sep}`;

function textsOfFolder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => !file.includes(MODELS))
    .toSorted()
    .flatMap(textsOfFile);
}

interface Example {
  readonly prompt: string;
  readonly response: string;
}

/** The triplets of the demo. */
export const exampleAudits = (): ComparedAudit[] =>
  linesOf('examples/triplets.ndjson').map((line) => {
    const { prompt, response } = JSON.parse(line) as Example;
    return auditsOf(prompt, response)[0]!;
  });

/** Prose as people write it, and code. */
export const ordinaryTexts = (): string[] =>
  ['injection-harmless.txt', 'dangerous-safe.txt'].flatMap((file) =>
    linesOf(`tuning/training/texts/${file}`),
  );

/** All different texts of this project, and of a folder with tuning data. */
export function comparedTexts(data: string | undefined): string[] {
  const folders = data === undefined || data === '' ? FOLDERS : [...FOLDERS, data];
  return [...new Set(folders.flatMap(textsOfFolder))];
}
