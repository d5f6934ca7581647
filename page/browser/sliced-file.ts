import type { ArchiveBytes } from '#core/evidence/package/archive.ts';

/** How much of a file is in memory at once. */
const BLOCK_BYTES = 1024 * 1024;

interface SlicedOptions {
  /** Called before each read: lets the page draw and respond to the user. */
  giveWay(): Promise<void>;
  /** Called with the bytes of each read. */
  onRead(bytes: number): void;
  /** Makes the next read fail. */
  readonly stop: AbortSignal;
}

/**
 * A chosen file, read in blocks: the verifier reads consecutive pieces of 32 KiB, and a browser read for each would
 * cost more than hashing it.
 */
export function slicedFile(file: Blob, { giveWay, onRead, stop }: SlicedOptions): ArchiveBytes {
  let from = 0;
  let block = new Uint8Array(0);
  const load = async (start: number, length: number): Promise<void> => {
    const read = await file.slice(start, start + Math.max(length, BLOCK_BYTES)).arrayBuffer();
    // Replaced, never written to: pieces of the old block may still be in use.
    block = new Uint8Array(read);
    from = start;
  };
  return {
    size: file.size,
    read: async (start, end) => {
      stop.throwIfAborted();
      await giveWay();
      if (start < from || end > from + block.length) await load(start, end - start);
      const piece = block.subarray(start - from, end - from);
      onRead(piece.length);
      return piece;
    },
  };
}
