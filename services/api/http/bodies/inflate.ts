import { createGunzip } from 'node:zlib';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { type HeldBody, MEMORY_PER_BYTE } from './body-budget.ts';

/** Memory of an inflater's window and output. */
const INFLATER_BYTES = 128 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Output up to this size is not checked for its ratio: small bodies often repeat one text. */
const UNCOUNTED_BYTES = 1024 * 1024;
/** Maximum bytes of output per byte of input. Batches of equal triplets reach half of this, a bomb 1,030. */
const MAX_RATIO = 600;

interface InflateLimits {
  /** Limit of the output. */
  readonly bytes: number;
  /** Counts the output as it grows, so it never takes more memory than its sender may. */
  readonly held: HeldBody | null;
}

/** The content of a gzip stream, inflated in the thread pool and no further than the limits. */
export function inflate(compressed: Buffer, { bytes: limit, held }: InflateLimits): Promise<Buffer> {
  const maxOutput = Math.min(limit, Math.max(UNCOUNTED_BYTES, compressed.length * MAX_RATIO));
  held?.take(INFLATER_BYTES);
  return new Promise((resolve, reject) => {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (error: Error): void => {
      gunzip.destroy();
      reject(error);
    };
    gunzip.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutput) {
        fail(length > limit ? new Refusal('BODY_TOO_LARGE', { message: tooLarge(limit) }) : tooDense());
        return;
      }
      try {
        held?.take(chunk.length * MEMORY_PER_BYTE);
        chunks.push(chunk);
      } catch (error) {
        fail(error as Error);
      }
    });
    gunzip.on('error', () => fail(broken()));
    gunzip.on('end', () => resolve(Buffer.concat(chunks, length)));
    gunzip.end(compressed);
  });
}

const tooLarge = (limit: number): string =>
  `The decompressed body exceeds ${limit / 1024 / 1024} MiB. Send less at a time.`;

const tooDense = (): Refusal =>
  new Refusal('BODY_TOO_LARGE', {
    message: `The body decompresses to more than ${MAX_RATIO} times its size. Send it without Content-Encoding.`,
  });

const broken = (): Refusal =>
  invalid(
    'Content-Encoding',
    'the body is not a complete gzip stream; compress it again, or send it uncompressed',
  );
