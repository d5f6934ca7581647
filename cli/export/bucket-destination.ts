import { createReadStream } from 'node:fs';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { openBucket } from '#platform/packages/s3/bucket.ts';
import { isNotThere } from '#platform/packages/s3/bucket-fault.ts';
import { uploadObject } from '#platform/packages/s3/upload.ts';
import { RequestFailed } from '../command/client.ts';
import { BUCKET_SCHEME, type Destination } from './destination.ts';

/** What the address does not say. */
interface BucketOptions {
  /** null: Amazon's own server of the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** null: what the environment offers, as with Amazon's own programs. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Manifests have a few hundred bytes; what is larger is none. */
const MAX_TEXT_BYTES = 64 * 1024;
const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PART = /^[\w.=-]{1,255}$/;

/** A bucket that speaks S3, by its address `s3://bucket/prefix`. */
export function bucketDestination(
  into: string,
  { endpoint, region, credentials }: BucketOptions,
): Destination {
  const [name = '', ...parts] = into.slice(BUCKET_SCHEME.length).split('/');
  // A slash at the end begins no part.
  const prefix = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  if (!NAME.test(name) || !prefix.every((part) => PART.test(part)))
    throw new RequestFailed(`${into} is not the address of a bucket. Write s3://bucket/prefix`, null, null);
  const bucket = openBucket({
    name,
    endpoint,
    region,
    prefix: prefix.join('/'),
    // Other servers seldom have a host for each bucket.
    pathStyle: endpoint !== null,
    credentials,
    ca: null,
  });
  return {
    readText: async (file) => {
      const asked = { Bucket: name, Key: bucket.key(file), Range: `bytes=0-${MAX_TEXT_BYTES - 1}` };
      try {
        return await bucket.ask('s3:GetObject', async (client) => {
          const { Body } = await client.send(new GetObjectCommand(asked));
          return (await Body?.transformToString()) ?? '';
        });
      } catch (error) {
        if (isNotThere(error)) return null;
        throw error;
      }
    },
    store: (file, from) =>
      uploadObject(bucket, {
        key: bucket.key(file),
        content: createReadStream(from),
        stop: undefined,
        type: 'application/octet-stream',
      }),
    storeText: (file, text) =>
      uploadObject(bucket, {
        key: bucket.key(file),
        content: once(Buffer.from(text)),
        stop: undefined,
        type: 'application/json',
      }),
    close: () => bucket.close(),
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
