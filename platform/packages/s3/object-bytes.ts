import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import { createSerialQueue } from '#platform/flow/serial-queue.ts';
import { type PackageBytes, PackageStorageUnavailable } from '../port.ts';
import type { Bucket } from './bucket.ts';

/** An object as it was when it was opened. */
export interface OpenedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string | undefined;
}

const BACKOFF = { firstMs: 200, maxMs: 2_000, random: Math.random };
/** A read that got nothing for so long is given up. */
const READ_LIMIT_MS = 60_000;

/** An answer whose body is being read. */
interface Body {
  /** Of the next byte. */
  at: number;
  readonly stream: Readable;
  readonly chunks: AsyncIterator<Buffer>;
  rest: Buffer;
}

/**
 * Reads an object as it is asked for. Bytes behind those read before come out of the same answer, which waits as long as
 * nobody asks: that is the back-pressure. Others, and those behind a broken connection, come with a new request.
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
      const taken = await retryWithBackoff(
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
      bytes.set(taken, filled);
      filled += taken.length;
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
    // Parts of two objects would make a third one.
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
  const taken = body.rest.subarray(0, most);
  body.rest = body.rest.subarray(taken.length);
  body.at += taken.length;
  return taken;
}
