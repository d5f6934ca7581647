import type { EventLog } from '../event-log/port.ts';
import type { DocumentRef, PendingEntry, State } from '../state/port.ts';

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
  for (const piece of piecesOf(pending)) {
    await parts.log.append(
      piece.map(({ topic, key, valueBase64, headers }) => ({
        topic,
        key,
        value: Buffer.from(valueBase64, 'base64'),
        headers,
      })),
    );
    await parts.documents.clearPending(
      ref,
      piece.map((entry) => entry.entryId),
    );
  }
  return pending.length;
}

/**
 * A log takes so much at a time and no more: what gathered while it was down would be refused as a whole for ever. Far
 * below what either log holds; one entry is always a piece.
 */
const PIECE_CHARACTERS = 12 * 2 ** 20;

function piecesOf(pending: readonly PendingEntry[]): PendingEntry[][] {
  const pieces: PendingEntry[][] = [];
  let left = 0;
  for (const entry of pending) {
    left -= entry.valueBase64.length;
    if (left < 0) {
      pieces.push([]);
      left = PIECE_CHARACTERS - entry.valueBase64.length;
    }
    pieces.at(-1)!.push(entry);
  }
  return pieces;
}
