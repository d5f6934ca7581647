import type { EventLog } from '#platform/event-log/port.ts';
import type { DocumentRef, PendingEntry, State } from '#platform/state/port.ts';

export interface OutboxDependencies {
  readonly documents: State['documents'];
  readonly log: Pick<EventLog, 'append'>;
}

/** Logged when a document's entries could not be appended at once. */
export const OUTBOX_DEFERRED = 'outbox left to sweeper';

/**
 * Appends the pending entries of a document in the order in which they were decided, then clears them. Returns how many
 * there were. Rejects with the log's or the state's error; everything then stays pending.
 *
 * Append first, clear second: a crash in between repeats an entry, which the fold drops by its id. The reverse order
 * would lose the entry. Every flush includes the earlier entries, so that the ledger never shows a document's second
 * version before its first.
 */
export async function flushOutbox(dependencies: OutboxDependencies, ref: DocumentRef): Promise<number> {
  const pending = await dependencies.documents.pending(ref);
  if (pending.length === 0) return 0;
  for (const chunk of chunksOf(pending)) {
    await dependencies.log.append(
      chunk.map(({ topic, key, valueBase64, headers }) => ({
        topic,
        key,
        value: Buffer.from(valueBase64, 'base64'),
        headers,
      })),
    );
    await dependencies.documents.clearPending(
      ref,
      chunk.map((entry) => entry.entryId),
    );
  }
  return pending.length;
}

/**
 * A log limits the size of one append, so it would refuse the whole backlog of its own outage forever. Far below the
 * limit of either log; a single entry always forms a chunk.
 */
const CHUNK_CHARACTERS = 12 * 2 ** 20;

function chunksOf(pending: readonly PendingEntry[]): PendingEntry[][] {
  const chunks: PendingEntry[][] = [];
  let left = 0;
  for (const entry of pending) {
    left -= entry.valueBase64.length;
    if (left < 0) {
      chunks.push([]);
      left = CHUNK_CHARACTERS - entry.valueBase64.length;
    }
    chunks.at(-1)!.push(entry);
  }
  return chunks;
}
