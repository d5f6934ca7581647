import { GetBucketVersioningCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { PackageStorageUnavailable } from '../port.ts';
import type { Bucket } from './bucket.ts';
import { BucketRefusal } from './bucket-fault.ts';

/** Throws, saying what to do, if the bucket cannot store packages. */
export async function checkBucket(bucket: Bucket): Promise<void> {
  const input = { Bucket: bucket.name };
  // A HEAD would be shorter, but its refusal has no body that explains it.
  const first = { ...input, Prefix: bucket.key(''), MaxKeys: 1 };
  await bucket.ask('s3:ListBucket', (client) => client.send(new ListObjectsV2Command(first)));
  const versioning = await bucket
    .ask('s3:GetBucketVersioning', (client) => client.send(new GetBucketVersioningCommand(input)))
    .catch((error: unknown) => {
      // A server that does not support versions keeps none.
      if (error instanceof BucketRefusal) return null;
      throw error;
    });
  if (versioning?.Status === 'Enabled')
    throw new PackageStorageUnavailable(
      `the bucket ${bucket.name} keeps versions, so erased data would remain in it; suspend versioning and delete old versions, or use another bucket`,
    );
}
