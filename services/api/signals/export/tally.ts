import { createHash } from 'node:crypto';

/** The row count and the digest of a streamed file. */
export interface Tally {
  addRows(rows: number): void;
  rowCount(): number;
  /** `sha-256=:<base64>:`, as in RFC 9530. */
  contentDigest(): string;
  /** Passes the bytes on and adds them to the digest. */
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
