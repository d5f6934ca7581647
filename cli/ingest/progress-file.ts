import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Refusal } from './segments.ts';

/** Outcome of an item. */
export type Outcome = { readonly auditId: string } | { readonly error: Refusal };

export type ProgressEntry = Outcome & {
  readonly line: number;
  /** `digestOf` the item. */
  readonly digest: string;
};

/** The account for which a file is ingested. */
export interface Target {
  readonly url: string;
  /** Distinguishes API keys without revealing them. */
  readonly key: string;
}

/** Outcomes recorded by earlier runs over a file. */
export interface ProgressFile {
  /** Entries of a segment, in the order of its items; empty when it has not been sent. */
  of(segment: number): Promise<readonly ProgressEntry[]>;
  /** Resolves when the entries are on disk; they replace earlier ones. */
  add(segment: number, entries: readonly ProgressEntry[]): Promise<void>;
  close(): Promise<void>;
}

interface Span {
  readonly start: number;
  readonly length: number;
}

interface Scanned {
  readonly header: string | null;
  /** The last record of each segment. */
  readonly segments: Map<number, Span>;
  /** End of the last complete record. */
  readonly end: number;
}

/**
 * A text file with one JSON record per line: first the target, then one per segment with the outcome of every item.
 * Append-only: the last record of a segment counts, and a record truncated by a crash is removed. Only the positions of
 * records are kept in memory.
 */
export async function openProgressFile(path: string, target: Target): Promise<ProgressFile> {
  const { header, segments, end } = await scan(path);
  if (header !== null) checkTarget(path, header, target);
  const file = await open(path, 'a+');
  try {
    await file.truncate(end);
    return await progressOf(file, segments, end, header === null ? target : null);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function checkTarget(path: string, header: string, target: Target): void {
  const { target: known } = JSON.parse(header) as { target: Target };
  if (known.url === target.url && known.key === target.key) return;
  throw new Error(
    `${path} belongs to a run with another ${known.url === target.url ? 'API key' : 'address'}. ` +
      'For another customer, name another file with --progress. For the same customer, change "target" in its first line',
  );
}

async function progressOf(
  file: FileHandle,
  segments: Map<number, Span>,
  from: number,
  newTarget: Target | null,
): Promise<ProgressFile> {
  let end = from;
  // One record at a time: each starts where the previous one ended.
  let last: Promise<unknown> = Promise.resolve();

  async function append(record: object): Promise<Span> {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    await file.appendFile(line);
    await file.datasync();
    const span = { start: end, length: line.length };
    end += line.length;
    return span;
  }

  if (newTarget !== null) await append({ target: newTarget });
  return {
    of: async (segment) => {
      const span = segments.get(segment);
      if (span === undefined) return [];
      const bytes = Buffer.alloc(span.length);
      await file.read(bytes, 0, span.length, span.start);
      return (JSON.parse(bytes.toString('utf8')) as { items: ProgressEntry[] }).items;
    },
    add: (segment, entries) => {
      const added = last.then(async () => segments.set(segment, await append({ segment, items: entries })));
      last = added.catch(() => undefined);
      return added.then(() => undefined);
    },
    close: async () => {
      await last;
      await file.close();
    },
  };
}

const LINE_FEED = 0x0a;
const SEGMENT = /^\{"segment":(\d+),/;
/** More than the length of the first record, and enough of the others to read their segment numbers. */
const HEAD_BYTES = 4_096;

async function scan(path: string): Promise<Scanned> {
  const segments = new Map<number, Span>();
  if (!existsSync(path)) return { header: null, segments, end: 0 };
  let header: string | null = null;
  let head = '';
  let start = 0;
  let position = 0;
  for await (const read of createReadStream(path)) {
    const chunk = read as Buffer;
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      head += chunk.toString('utf8', from, Math.min(at, from + HEAD_BYTES));
      const length = position + at + 1 - start;
      const number = SEGMENT.exec(head)?.[1];
      if (number !== undefined) segments.set(Number(number), { start, length });
      header ??= head;
      head = '';
      start += length;
      from = at + 1;
    }
    if (head.length < HEAD_BYTES) head += chunk.toString('utf8', from, from + HEAD_BYTES);
    position += chunk.length;
  }
  return { header, segments, end: start };
}
