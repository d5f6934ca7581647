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
 * The server recomputes the checksum of each part, refuses a part that differs, and stores it. It also compares the
 * signed SHA-256 of the part: computing another one here would only block the event loop.
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
 * Stores an object from chunks with one part of it in memory at a time: the next chunk is requested after the previous
 * part has arrived. Nothing remains after a failure, unless the server cannot be reached: then a sweep removes the
 * upload.
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
      uploadId ??= await start(bucket, key, type);
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

async function start(bucket: Bucket, key: string, type: string): Promise<string> {
  const input = { Bucket: bucket.name, Key: key, ContentType: type, ...CHECKSUM };
  // Not cancelled with the rest, because the id of an upload that the server has started would then be unknown.
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

/** The content in blocks of `size` bytes, the last one smaller. All blocks share the same memory. */
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
      const length = Math.min(piece.length - at, size - filled);
      block.set(piece.subarray(at, at + length), filled);
      filled += length;
      at += length;
    }
  }
  yield { bytes: block.subarray(0, filled), isLast: true };
}
