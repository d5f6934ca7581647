import { createHash } from 'node:crypto';
import type { Outcome, ProgressEntry, ProgressFile } from './progress-file.ts';
import { digestOf, lineOf, type Refusal, type Segment } from './segments.ts';
import { type Sender, sendBatch } from './send-batch.ts';

export interface Rejected extends Refusal {
  readonly line: number;
}

/** Outcomes of the items so far. */
export interface Tally {
  readonly accepted: number;
  /** Accepted by an earlier run. */
  readonly repeated: number;
  readonly rejected: number;
}

interface IngestOptions {
  readonly segments: AsyncGenerator<Segment>;
  readonly progress: ProgressFile;
  readonly sender: Sender;
  /** Slug for items without a sandbox. */
  readonly sandbox: string | undefined;
  /** Ends a pending read of the segments, once nothing more is sent. */
  readonly stop: () => void;
  readonly onRejected: (rejected: Rejected) => void;
  readonly onProgress: (tally: Tally, segment: Segment) => void;
}

const IN_FLIGHT = 4;

/**
 * Sends a file segment by segment, a few at a time, and records the outcome of each item. When it ends early, segments
 * in flight are finished and recorded first.
 */
export async function ingestFile(options: IngestOptions): Promise<Tally> {
  const { segments, onProgress } = options;
  let tally: Tally = { accepted: 0, repeated: 0, rejected: 0 };
  let failure: { readonly error: unknown } | null = null;
  const work = async (): Promise<void> => {
    while (failure === null) {
      const next = await segments.next();
      if (next.done === true) return;
      const added = await ingestSegment(options, next.value);
      // Not in one expression with the await: other segments may have added to it meanwhile.
      tally = sum(tally, added);
      onProgress(tally, next.value);
    }
  };
  const worker = (): Promise<void> =>
    work().catch((error: unknown) => {
      failure ??= { error };
      options.stop();
    });
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const ended = failure as { readonly error: unknown } | null;
  if (ended !== null) throw ended.error;
  return tally;
}

const sum = (one: Tally, other: Tally): Tally => ({
  accepted: one.accepted + other.accepted,
  repeated: one.repeated + other.repeated,
  rejected: one.rejected + other.rejected,
});

/** An item still to be sent. */
interface Pending {
  readonly index: number;
  readonly text: Buffer;
}

async function ingestSegment(options: IngestOptions, segment: Segment): Promise<Tally> {
  const { progress, sender, sandbox } = options;
  const { items, number } = segment;
  const known = await progress.of(number);
  const digests = items.map(digestOf);
  const pending: Pending[] = [];
  const outcomes = items.map((item, index): Outcome | null => {
    const before = known[index];
    if (before !== undefined && before.digest === digests[index] && 'auditId' in before) return before;
    const line = lineOf(item, sandbox);
    if ('refused' in line) return { error: line.refused };
    pending.push({ index, text: line.text });
    return null;
  });
  const repeated = outcomes.filter((outcome) => outcome !== null && 'auditId' in outcome).length;
  if (repeated === items.length) return { accepted: 0, repeated, rejected: 0 };
  const sent = await send(sender, number, pending);
  for (const [n, { index }] of pending.entries()) outcomes[index] = sent.outcomes[n] ?? null;
  const entries = items.map(({ line }, index): ProgressEntry => {
    const outcome = outcomes[index];
    if (outcome == null)
      throw new Error(`The service answered for fewer lines than were sent: line ${line} has no result`);
    return { ...outcome, line, digest: digests[index]! };
  });
  await progress.add(number, entries);
  return tallyOf(entries, repeated, sent.replayed, options.onRejected);
}

async function send(
  sender: Sender,
  segment: number,
  pending: readonly Pending[],
): Promise<{ readonly outcomes: readonly Outcome[]; readonly replayed: boolean }> {
  if (pending.length === 0) return { outcomes: [], replayed: false };
  const lines = pending.map(({ text }) => text);
  const { items, replayed } = await sendBatch(sender, lines, keyOf(segment, pending));
  const outcomes = items.map((item): Outcome => {
    if (!('error' in item)) return { auditId: item.auditId };
    const { code, message } = item.error;
    return { error: { code, message } };
  });
  return { outcomes, replayed };
}

/** The same items in the same positions give the same key in any run. */
function keyOf(segment: number, pending: readonly Pending[]): string {
  const hash = createHash('sha256').update(`${segment}\n`);
  for (const { index, text } of pending) hash.update(`${index} ${text.length}\n`).update(text);
  return `cas-ingest-${hash.digest('hex')}`;
}

function tallyOf(
  entries: readonly ProgressEntry[],
  known: number,
  replayed: boolean,
  onRejected: IngestOptions['onRejected'],
): Tally {
  let rejected = 0;
  for (const entry of entries) {
    if (!('error' in entry)) continue;
    rejected += 1;
    onRejected({ line: entry.line, ...entry.error });
  }
  const fresh = entries.length - rejected - known;
  return replayed
    ? { accepted: 0, repeated: known + fresh, rejected }
    : { accepted: fresh, repeated: known, rejected };
}
