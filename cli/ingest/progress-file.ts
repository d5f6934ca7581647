import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Refusal } from './segments.ts';

/** What became of an item. */
export type Outcome = { readonly auditId: string } | { readonly error: Refusal };

export type ProgressEntry = Outcome & {
  readonly line: number;
  /** `digestOf` the item. */
  readonly digest: string;
};

/** Whom a file is ingested for. */
export interface Target {
  readonly url: string;
  /** Tells one API key from another without showing it. */
  readonly key: string;
}

/** What is known of a file from earlier runs. */
export interface ProgressFile {
  /** Entries of a segment, in the order of its items; none when it was not sent yet. */
  of(segment: number): Promise<readonly ProgressEntry[]>;
  /** Resolves when the entries are on the disk; they take the place of earlier ones. */
  add(segment: number, entries: readonly ProgressEntry[]): Promise<void>;
  close(): Promise<void>;
}

interface Place {
  readonly start: number;
  readonly length: number;
}

interface Scanned {
  readonly header: string | null;
  /** The last record of each segment. */
  readonly segments: Map<number, Place>;
  /** End of the last whole record. */
  readonly end: number;
}

/**
 * A text file of one JSON record a line: first the target, then a segment each, with the outcome of every item. Records
 * are only ever added; the last one of a segment counts, and one that a crash cut short is taken off. Only where the
 * records lie is held in memory.
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
    `${path} tells of a run with another ${known.url === target.url ? 'API key' : 'address'}. ` +
      'To ingest the file for another customer, name another file with --progress; to go on as the same customer, change "target" in its first line',
  );
}

async function progressOf(
  file: FileHandle,
  segments: Map<number, Place>,
  from: number,
  newTarget: Target | null,
): Promise<ProgressFile> {
  let end = from;
  // One record at a time: a segment's place follows from where the one before it ended.
  let last: Promise<unknown> = Promise.resolve();

  async function append(record: object): Promise<Place> {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    await file.appendFile(line);
    await file.datasync();
    const place = { start: end, length: line.length };
    end += line.length;
    return place;
  }

  if (newTarget !== null) await append({ target: newTarget });
  return {
    of: async (segment) => {
      const place = segments.get(segment);
      if (place === undefined) return [];
      const bytes = Buffer.alloc(place.length);
      await file.read(bytes, 0, place.length, place.start);
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
/** More than the first record has, and enough of the others to read their numbers from. */
const HEAD_BYTES = 4_096;

async function scan(path: string): Promise<Scanned> {
  const segments = new Map<number, Place>();
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
