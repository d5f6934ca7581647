import type { DataFolder } from '../../samples/data-folder.ts';
import type { TaggedText } from './languages/tagged-text.ts';

interface Document {
  readonly text: string;
  readonly kind: string;
  readonly source: string;
  readonly licence: string;
}

/** Longer documents add nothing new. */
const ENOUGH = 600;
/** One in this many sources is held out. */
const HELD_OUT_OF = 4;

/** Decided by name, so that a source stays in its set when others are added. */
export function isHeldOutSource(source: string): boolean {
  let sum = 0;
  for (let at = 0; at < source.length; at++) sum = (sum * 31 + source.charCodeAt(at)) % 9_973;
  return sum % HELD_OUT_OF === 0;
}

const FILES = ['benign/documents.jsonl', 'benign/code.jsonl'] as const;
/** One in this many texts of a file is used. */
const EVERY: Readonly<Record<(typeof FILES)[number], number>> = {
  'benign/documents.jsonl': 2,
  'benign/code.jsonl': 6,
};

/** Kinds of documents that are about people, and lines that may name an author. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set(['git log', 'e-mail', 'meeting notes', 'CV']);
const NAMES_SOMEONE =
  /@|\b(?:authors?|by|copyright|contributors?|maintain(?:ed|ers?)|thanks|cc|from|name)\b/i;

const withoutAuthors = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !NAMES_SOMEONE.test(line))
    .join('\n');

/** Logs, settings, tables and code, whose persons are not labelled, so they only show what is not a name. */
export function documentTexts(data: DataFolder): readonly TaggedText[] {
  return FILES.flatMap((file) =>
    data
      .cases<Document>(file)
      .filter(({ source }) => !isHeldOutSource(source))
      .filter(({ kind }, at) => at % EVERY[file] === 0 && !ABOUT_PEOPLE.has(kind))
      .map(({ text }) => ({ text: withoutAuthors(text.slice(0, ENOUGH)), spans: [], isWeak: true })),
  );
}
