import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.ts';
import { removeObject } from './remove-object.ts';

/**
 * The server computes it again of each part that arrives, refuses one that differs, and keeps it. Beside it stands what
 * is signed, SHA-256 of the part, which it compares as well: a second one of these would hold up the event loop for nothing.
 */
const CHECKSUM = { ChecksumAlgorithm: 'CRC32' } as const;

interface Upload {
  readonly key: string;
  /** Media type. */
  readonly type: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly stop: AbortSignal | undefined;
}

/**
 * Stores an object out of pieces, one part of it in memory at a time: the next piece is asked for when the part before
 * has arrived. After a failure nothing of it stays, unless the server cannot be reached: then a sweep removes it.
 */
export async function uploadObject(bucket: Bucket, { key, type, content, stop }: Upload): Promise<void> {
  const target = { Bucket: bucket.name, Key: key };
  const signal = stop === undefined ? {} : { abortSignal: stop };
  let uploadId: string | undefined;
  let isSent = false;
  try {
    const parts: CompletedPart[] = [];
    for await (const { bytes, isLast } of blocksOf(content, bucket.limits.partBytes)) {
      stop?.throwIfAborted();
      isSent = true;
      if (isLast && uploadId === undefined) {
        const whole = { ...target, ...CHECKSUM, Body: bytes, ContentType: type };
        await bucket.ask('s3:PutObject', (client) => client.send(new PutObjectCommand(whole), signal));
        return;
      }
      uploadId ??= await begin(bucket, key, type);
      parts.push(await sendPart(bucket, { ...target, UploadId: uploadId }, parts.length + 1, bytes, stop));
    }
    const whole = { ...target, UploadId: uploadId, MultipartUpload: { Parts: parts } };
    await bucket.ask('s3:PutObject', (client) =>
      client.send(new CompleteMultipartUploadCommand(whole), signal),
    );
  } catch (error) {
    if (isSent) await removeObject(bucket, key).catch(() => undefined);
    throw error;
  }
}

async function begin(bucket: Bucket, key: string, type: string): Promise<string> {
  const input = { Bucket: bucket.name, Key: key, ContentType: type, ...CHECKSUM };
  // Not given up with the rest: an upload that the server has begun could not be named.
  const { UploadId } = await bucket.ask('s3:PutObject', (client) =>
    client.send(new CreateMultipartUploadCommand(input)),
  );
  if (UploadId === undefined) throw new Error('the bucket returned no id for a new upload');
  return UploadId;
}

async function sendPart(
  bucket: Bucket,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
  number: number,
  bytes: Buffer,
  stop: AbortSignal | undefined,
): Promise<CompletedPart> {
  const input = { ...upload, ...CHECKSUM, PartNumber: number, Body: bytes };
  const { ETag, ChecksumCRC32 } = await bucket.ask('s3:PutObject', (client) =>
    client.send(new UploadPartCommand(input), stop === undefined ? {} : { abortSignal: stop }),
  );
  return { PartNumber: number, ETag, ...(ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 }) };
}

/** The content in blocks of `size` bytes, the last one smaller. All are the same memory. */
async function* blocksOf(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }> {
  const block = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      if (filled === size) {
        yield { bytes: block, isLast: false };
        filled = 0;
      }
      const taken = Math.min(piece.length - at, size - filled);
      block.set(piece.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
    }
  }
  yield { bytes: block.subarray(0, filled), isLast: true };
}
