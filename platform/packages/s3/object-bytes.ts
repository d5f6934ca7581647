import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import { createSerialQueue } from '#platform/flow/serial-queue.ts';
import { type PackageBytes, PackageStorageUnavailable } from '../port.ts';
import type { Bucket } from './bucket.ts';

/** An object as of when it was opened. */
export interface OpenedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string | undefined;
}

const BACKOFF = { firstMs: 200, maxMs: 2_000, random: Math.random };
/** A read that receives nothing for this long is abandoned. */
const READ_LIMIT_MS = 60_000;

/** A response whose body is being read. */
interface Body {
  /** Offset of the next byte. */
  at: number;
  readonly stream: Readable;
  readonly chunks: AsyncIterator<Buffer>;
  rest: Buffer;
}

/**
 * Reads an object on demand. Sequential reads continue the same response, which waits while nothing is read: that is
 * the back-pressure. Other reads, and those after a broken connection, send a new request.
 */
export function objectBytes(bucket: Bucket, object: OpenedObject): PackageBytes {
  const queue = createSerialQueue();
  let body: Body | null = null;
  const drop = (): void => {
    body?.stream.destroy();
    body = null;
  };

  const nextBytes = async (at: number, most: number): Promise<Buffer> => {
    if (body?.at !== at) {
      drop();
      body = await openAt(bucket, object, at);
    }
    return bucket.ask('s3:GetObject', () => takeFrom(body as Body, most));
  };

  const read = async (from: number, to: number): Promise<Uint8Array> => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, object.size) - from));
    let filled = 0;
    while (filled < bytes.length) {
      const chunk = await retryWithBackoff(
        {
          backoff: BACKOFF,
          isRetryable: (error) => error instanceof PackageStorageUnavailable,
          limit: {
            timeoutMs: READ_LIMIT_MS,
            clock: () => performance.now(),
            exhausted: (cause) => cause as Error,
          },
        },
        () =>
          nextBytes(from + filled, bytes.length - filled).catch((error: unknown) => {
            drop();
            throw error;
          }),
      );
      bytes.set(chunk, filled);
      filled += chunk.length;
    }
    return bytes;
  };

  return {
    size: object.size,
    read: (from, to) => queue.run(() => read(from, to)),
    close: () => queue.run(drop),
  };
}

async function openAt(bucket: Bucket, { key, etag }: OpenedObject, at: number): Promise<Body> {
  const input = {
    Bucket: bucket.name,
    Key: key,
    Range: `bytes=${at}-`,
    // Parts of two objects would produce a third.
    ...(etag === undefined ? {} : { IfMatch: etag }),
  };
  const answer = await bucket.ask('s3:GetObject', (client) => client.send(new GetObjectCommand(input)));
  const stream = answer.Body as Readable;
  return {
    at,
    stream,
    chunks: stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
    rest: Buffer.alloc(0),
  };
}

async function takeFrom(body: Body, most: number): Promise<Buffer> {
  if (body.rest.length === 0) {
    const { value, done } = await body.chunks.next();
    if (done === true) throw new PackageStorageUnavailable('the bucket returned a truncated object');
    body.rest = value;
  }
  const chunk = body.rest.subarray(0, most);
  body.rest = body.rest.subarray(chunk.length);
  body.at += chunk.length;
  return chunk;
}
