import { createHash } from 'node:crypto';

/** What is said of a file that was streamed: how many rows it has, and the digest of its bytes. */
export interface Tally {
  addRows(rows: number): void;
  rowCount(): number;
  /** `sha-256=:<base64>:`, as RFC 9530 spells it. */
  contentDigest(): string;
  /** Hands the bytes on and takes them into the digest. */
  over(content: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

export function createTally(): Tally {
  const hash = createHash('sha256');
  let count = 0;
  return {
    addRows: (rows) => {
      count += rows;
    },
    rowCount: () => count,
    contentDigest: () => `sha-256=:${hash.copy().digest('base64')}:`,
    over: async function* (content) {
      for await (const bytes of content) {
        hash.update(bytes);
        yield bytes;
      }
    },
  };
}
