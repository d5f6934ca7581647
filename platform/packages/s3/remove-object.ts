import { AbortMultipartUploadCommand, DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.ts';
import { isNotThere } from './bucket-fault.ts';
import { openUploads } from './listing.ts';

/**
 * Removes an object and its incomplete uploads, including those of a process that died. Uploads first: one that is
 * completed meanwhile is removed as an object.
 */
export async function removeObject(bucket: Bucket, key: string): Promise<void> {
  const target = { Bucket: bucket.name, Key: key };
  for (const upload of await openUploads(bucket, key)) {
    // Also the prefix of longer keys.
    if (upload.key !== key) continue;
    const input = { ...target, UploadId: upload.uploadId };
    await bucket
      .ask('s3:AbortMultipartUpload', (client) => client.send(new AbortMultipartUploadCommand(input)))
      .catch((error: unknown) => {
        if (!isNotThere(error)) throw error;
      });
  }
  await bucket.ask('s3:DeleteObject', (client) => client.send(new DeleteObjectCommand(target)));
}
