import type { EventLog } from '../event-log/port.ts';
import type { DocumentRef, State } from '../state/port.ts';

export interface OutboxParts {
  readonly documents: State['documents'];
  readonly log: Pick<EventLog, 'append'>;
}

/**
 * Appends the pending entries of a document, in the order in which they were decided, then clears them. Returns how
 * many there were. Rejects with the log's or the state's error; then everything stays pending.
 *
 * Appended first, cleared second: a crash between the two repeats an entry, which the fold drops by its id. The
 * other way round it would lose the entry. Whoever flushes takes the earlier entries along, so that the ledger
 * never shows a document's second version before its first.
 */
export async function flushOutbox(parts: OutboxParts, ref: DocumentRef): Promise<number> {
  const pending = await parts.documents.pending(ref);
  if (pending.length === 0) return 0;
  await parts.log.append(
    pending.map(({ topic, key, valueBase64, headers }) => ({
      topic,
      key,
      value: Buffer.from(valueBase64, 'base64'),
      headers,
    })),
  );
  await parts.documents.clearPending(
    ref,
    pending.map((entry) => entry.entryId),
  );
  return pending.length;
}
