import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { checkedName, isPackageName } from '../package-name.ts';
import type { PackageFiles, PackageLocation } from '../port.ts';
import type { Bucket } from './bucket.ts';
import { isNotThere } from './bucket-fault.ts';
import { checkBucket } from './check-bucket.ts';
import { foldersBelow, objectKeys, openUploads } from './listing.ts';
import { type OpenedObject, objectBytes } from './object-bytes.ts';
import { removeObject } from './remove-object.ts';
import { uploadObject } from './upload.ts';

const REMOVED_AT_ONCE = 4;

/** Packages in an S3-compatible bucket; the key consists of prefix, customer and name. */
export function packagesInBucket(bucket: Bucket): PackageFiles {
  const keyOf = ({ customerId, name }: PackageLocation): string =>
    bucket.key(checkedName(customerId), checkedName(name));
  const folderOf = (customerId: string): string => bucket.key(checkedName(customerId), '');

  const keysBelow = async (prefix: string): Promise<string[]> => {
    const uploads = await openUploads(bucket, prefix);
    // Listed last, so that uploads completed meanwhile are included.
    const objects = await objectKeys(bucket, prefix);
    return [...new Set([...objects, ...uploads.map(({ key }) => key)])].sort();
  };

  return {
    write: async (location, content, stop) => {
      const key = keyOf(location);
      await checkBucket(bucket);
      // Not a condition of the write, which could then not be repeated after a lost response, and which not every
      // server supports. No two writers use the same name: each attempt picks its own.
      if ((await objectAt(bucket, key)) !== null) throw new Error('a package with this name already exists');
      await uploadObject(bucket, { key, type: 'application/zip', content, stop });
    },
    open: async (location) => {
      const object = await objectAt(bucket, keyOf(location));
      return object === null ? null : objectBytes(bucket, object);
    },
    remove: (location) => removeObject(bucket, keyOf(location)),
    removeAll: async (customerId) => {
      const keys = await keysBelow(folderOf(customerId));
      await mapConcurrent(keys, REMOVED_AT_ONCE, (key) => removeObject(bucket, key));
    },
    names: async (customerId) => {
      const prefix = folderOf(customerId);
      const found = await keysBelow(prefix);
      return found.map((key) => key.slice(prefix.length)).filter(isPackageName);
    },
    customers: async () => {
      const prefix = bucket.key('');
      const uploads = await openUploads(bucket, prefix);
      const ofUploads = uploads.map(({ key }) => key.slice(prefix.length).split('/', 1)[0] ?? '');
      const found = [...(await foldersBelow(bucket, prefix)), ...ofUploads];
      return [...new Set(found)].filter(isPackageName).sort();
    },
  };
}

/** null if there is no such object. */
async function objectAt(bucket: Bucket, key: string): Promise<OpenedObject | null> {
  const input = { Bucket: bucket.name, Key: key };
  try {
    const { ContentLength = 0, ETag } = await bucket.ask('s3:GetObject', (client) =>
      client.send(new HeadObjectCommand(input)),
    );
    return { key, size: ContentLength, etag: ETag };
  } catch (error) {
    if (isNotThere(error)) return null;
    throw error;
  }
}
