import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.ts';

interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
}

/** Keys of all objects with the prefix. */
export async function objectKeys(bucket: Bucket, prefix: string): Promise<string[]> {
  const pages = objectPages(bucket, { Prefix: prefix });
  return collected(bucket, pages, ({ Contents = [] }) => Contents.flatMap(({ Key }) => Key ?? []));
}

/** The part of each key between the prefix and the next slash. */
export async function foldersBelow(bucket: Bucket, prefix: string): Promise<string[]> {
  const pages = objectPages(bucket, { Prefix: prefix, Delimiter: '/' });
  const found = await collected(bucket, pages, ({ CommonPrefixes = [] }) =>
    CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []),
  );
  return found.map((folder) => folder.slice(prefix.length, -1));
}

/**
 * Uploads that were never completed or aborted. MinIO only lists those whose whole key is the prefix; it drops old ones
 * itself.
 */
export async function openUploads(bucket: Bucket, prefix: string): Promise<OpenUpload[]> {
  return collected(bucket, uploadPages(bucket, prefix), ({ Uploads = [] }) =>
    Uploads.flatMap(({ Key, UploadId }) =>
      Key === undefined || UploadId === undefined ? [] : { key: Key, uploadId: UploadId },
    ),
  );
}

async function* objectPages(
  bucket: Bucket,
  which: { readonly Prefix: string; readonly Delimiter?: string },
): AsyncGenerator<ListObjectsV2CommandOutput> {
  let next: string | undefined;
  do {
    const input = {
      Bucket: bucket.name,
      ...which,
      ...(next === undefined ? {} : { ContinuationToken: next }),
    };
    const page = await bucket.ask('s3:ListBucket', (client) => client.send(new ListObjectsV2Command(input)));
    yield page;
    next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}

async function* uploadPages(
  bucket: Bucket,
  prefix: string,
): AsyncGenerator<ListMultipartUploadsCommandOutput> {
  let next = {};
  let isLast = false;
  while (!isLast) {
    const input = { Bucket: bucket.name, Prefix: prefix, ...next };
    const page = await bucket.ask('s3:ListBucketMultipartUploads', (client) =>
      client.send(new ListMultipartUploadsCommand(input)),
    );
    yield page;
    isLast = page.IsTruncated !== true;
    next = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

async function collected<Page, Item>(
  { limits: { maxPages } }: Bucket,
  pages: AsyncIterable<Page>,
  items: (page: Page) => Item[],
): Promise<Item[]> {
  const all: Item[] = [];
  let count = 0;
  for await (const page of pages) {
    count += 1;
    if (count > maxPages) throw new Error(`a bucket lists more than ${maxPages} pages of packages`);
    all.push(...items(page));
  }
  return all;
}
