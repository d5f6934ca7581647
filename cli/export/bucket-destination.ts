import { createReadStream } from 'node:fs';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { openBucket } from '#platform/packages/s3/bucket.ts';
import { isNotThere } from '#platform/packages/s3/bucket-fault.ts';
import { uploadObject } from '#platform/packages/s3/upload.ts';
import { RequestFailed } from '../command/client.ts';
import { BUCKET_SCHEME, type Destination } from './destination.ts';

/** Options that are not in the address. */
interface BucketOptions {
  /** Null: Amazon's own server in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null: credentials from the environment, as for Amazon's own tools. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Manifests have a few hundred bytes; anything larger is not one. */
const MAX_TEXT_BYTES = 64 * 1024;
const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PART = /^[\w.=-]{1,255}$/;

/** An S3-compatible bucket, by its address `s3://bucket/prefix`. */
export function bucketDestination(
  into: string,
  { endpoint, region, credentials }: BucketOptions,
): Destination {
  const [name = '', ...parts] = into.slice(BUCKET_SCHEME.length).split('/');
  // A trailing slash starts no part.
  const prefix = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  if (!NAME.test(name) || !prefix.every((part) => PART.test(part)))
    throw new RequestFailed(`${into} is not the address of a bucket. Write s3://bucket/prefix`, null, null);
  const bucket = openBucket({
    name,
    endpoint,
    region,
    prefix: prefix.join('/'),
    // Other servers seldom have a host per bucket.
    pathStyle: endpoint !== null,
    credentials,
    ca: null,
  });
  return {
    readText: async (file) => {
      const options = { Bucket: name, Key: bucket.key(file), Range: `bytes=0-${MAX_TEXT_BYTES - 1}` };
      try {
        return await bucket.ask('s3:GetObject', async (client) => {
          const { Body } = await client.send(new GetObjectCommand(options));
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
