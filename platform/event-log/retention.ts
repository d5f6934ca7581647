import type { EmbeddedStore } from './embedded-store.ts';
import type { PartitionState } from './embedded-topics.ts';

/** Records that one transaction deletes at most, so that appends never wait long for the one writer. */
const CHUNK_RECORDS = 500;

/**
 * Deletes from the start of a partition what is older than `cutoff` (Unix ms), chunk by chunk, up to the first
 * record that is not. Returns how many offsets were freed. The file does not shrink; its pages are used again.
 */
export async function deleteOlder(
  store: EmbeddedStore,
  partition: PartitionState,
  cutoff: number,
  goOn: () => boolean,
): Promise<number> {
  const from = partition.start;
  while (goOn() && partition.start < partition.end) {
    const keep = store.firstNotOlder(partition, cutoff, CHUNK_RECORDS);
    if (keep === partition.start) break;
    await store.truncate(partition, keep);
  }
  return partition.start - from;
}
