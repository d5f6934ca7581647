import { createHash } from 'node:crypto';
import { MAX_BATCH_ITEMS } from '#schemas/api/audit-batch.ts';
import { MAX_TRIPLET_BYTES } from '#schemas/api/audits.ts';
import { MIB } from '#schemas/api/contract.ts';
import type { Item } from './splitter.ts';

/** Far enough below the batch limit that additions to items still fit. */
const SEGMENT_BYTES = 8 * MIB;

/**
 * A part of the file that is sent as one batch. Its bounds depend only on the file, never on what was accepted earlier,
 * so that a run after a crash makes the same batches, and the same keys, as the run before.
 */
export interface Segment {
  /** Starts at 0. */
  readonly number: number;
  readonly items: readonly Item[];
  /** Total size of the items; skipped ones count as 0. */
  readonly bytes: number;
}

export async function* segmentsOf(items: AsyncIterable<Item>): AsyncGenerator<Segment> {
  let number = 0;
  let gathered: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = item.bytes?.length ?? 0;
    if (gathered.length === MAX_BATCH_ITEMS || bytes + size > SEGMENT_BYTES) {
      yield { number, items: gathered, bytes };
      number += 1;
      gathered = [];
      bytes = 0;
    }
    gathered.push(item);
    bytes += size;
  }
  if (gathered.length > 0) yield { number, items: gathered, bytes };
}

/** Digest (hex) that detects another item in the same position. */
export const digestOf = ({ bytes }: Item): string =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')
    .slice(0, 32);

/** The line to send for an item, or why it is not sent. */
type Line = { readonly text: Buffer } | { readonly refused: Refusal };

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

const LINE_BREAK = /[\r\n]/;
const TOO_LARGE: Refusal = {
  code: 'BODY_TOO_LARGE',
  message: `The triplet exceeds ${MAX_TRIPLET_BYTES / MIB} MiB`,
};
const NO_JSON: Refusal = { code: 'INVALID_JSON', message: 'The element is not valid JSON' };

/** An item as one line. `slug` is added to items without a sandbox. */
export function lineOf({ bytes }: Item, slug: string | undefined): Line {
  if (bytes === null) return { refused: TOO_LARGE };
  const text = bytes.toString('utf8').trim();
  const isSpread = LINE_BREAK.test(text);
  if (!isSpread && slug === undefined) return { text: bytes };
  const value = parsed(text);
  // Invalid JSON on one line is sent unchanged; the service says what is wrong with it.
  if (value === undefined) return isSpread ? { refused: NO_JSON } : { text: bytes };
  // In valid JSON a line break is always white space, because strings cannot contain one.
  const line = isSpread ? text.replaceAll(/[\r\n]/g, ' ') : text;
  return { text: Buffer.from(slug === undefined ? line : withSandbox(line, value, slug)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withSandbox(line: string, value: unknown, slug: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return line;
  if (Object.hasOwn(value, 'sandboxSlug')) return line;
  const member = `"sandboxSlug":${JSON.stringify(slug)}`;
  const rest = line.slice(1).trimStart();
  return `{${member}${rest.startsWith('}') ? '' : ','}${rest}`;
}
