import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { isRetryable } from '#platform/flow/service-error.ts';
import { type PackageFiles, PackageStorageFull, PackageStorageUnavailable } from '../port.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { packagesInBucket } from './packages-in-bucket.ts';
import { type FakeBucket, startFakeBucket, type Trouble } from './testing/fake-bucket.ts';

/** Faults of an S3 server, with short waits. */

const CUSTOMER = 'c1';
const PLACE = { customerId: CUSTOMER, name: 'a.zip' };
const KEY = 'p/c1/a.zip';
const PART = 64 * 1024;
const ACCESS_KEY = { accessKeyId: 'the-id-of-the-key', secretAccessKey: 'the-secret-of-the-key' };

let fake: FakeBucket;
let bucket: Bucket;
let files: PackageFiles;
beforeEach(async () => {
  fake = await startFakeBucket();
  bucket = openBucket(
    {
      name: 'bucket',
      endpoint: fake.endpoint,
      region: 'us-east-1',
      prefix: 'p',
      pathStyle: true,
      credentials: ACCESS_KEY,
      ca: null,
    },
    { partBytes: PART, answerMs: 400, idleMs: 400, connectMs: 400, attempts: 2, maxPages: 20 },
  );
  files = packagesInBucket(bucket);
});
afterEach(async () => {
  bucket.close();
  await fake.close();
});

async function* inPieces(content: Buffer, bytes = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}
/** The first matching requests fail in this way. */
function troubles(
  which: (asked: string) => boolean,
  trouble: Trouble,
  times = Number.POSITIVE_INFINITY,
): void {
  let left = times;
  fake.trouble = ({ method, key, query }) => {
    const asked = `${method} ${key}${query.has('uploadId') || query.has('uploads') ? ' upload' : ''}`;
    if (left === 0 || !which(asked)) return null;
    left -= 1;
    return trouble;
  };
}
const failureOf = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing failed'),
    (error: Error) => error,
  );

describe('an upload', () => {
  const content = randomBytes(3 * PART + 5);

  test.each([
    ['break', 1],
    ['lose-answer', 1],
    ['hang', 1],
    [[503, 'SlowDown'], 1],
    [[500, 'InternalError'], 1],
  ] as const)('goes on after %j of a part', async (trouble, times) => {
    troubles((asked) => asked === `PUT ${KEY} upload`, trouble, times);
    await files.write(PLACE, inPieces(content));
    expect(fake.objects.get(KEY)!.equals(content)).toBe(true);
    expect(fake.uploads.size).toBe(0);
  });

  test.each(['break', 'hang', [503, 'SlowDown']] as const)(
    'whose second part always gets %j fails with a retryable error and leaves nothing',
    async (trouble) => {
      fake.trouble = ({ method, query }) =>
        method === 'PUT' && query.get('partNumber') === '2' ? trouble : null;
      const error = await failureOf(files.write(PLACE, inPieces(content)));
      expect(error).toBeInstanceOf(PackageStorageUnavailable);
      expect(isRetryable(error)).toBe(true);
      expect(fake.uploads.size).toBe(0);
      expect(fake.objects.size).toBe(0);
      // Each request is attempted twice here, not three times.
      expect(fake.asked.filter((asked) => asked.includes('partNumber=2'))).toHaveLength(2);
    },
  );

  test('leaves a remainder for the next sweep if the server is gone', async () => {
    const dying = async function* () {
      yield* inPieces(content.subarray(0, 2 * PART));
      fake.trouble = () => 'break';
      yield content.subarray(2 * PART);
    };
    expect(await failureOf(files.write(PLACE, dying()))).toBeInstanceOf(PackageStorageUnavailable);
    expect(fake.uploads.size).toBe(1);
    fake.trouble = () => null;
    expect(await files.customers()).toEqual([CUSTOMER]);
    expect(await files.names(CUSTOMER)).toEqual(['a.zip']);
    await files.remove(PLACE);
    expect(fake.uploads.size).toBe(0);
  });

  test('leaves nothing if its last response is lost, although the object was stored', async () => {
    troubles((asked) => asked === `PUT ${KEY}`, 'lose-answer');
    expect(await failureOf(files.write(PLACE, inPieces(content.subarray(0, 100))))).toBeInstanceOf(
      PackageStorageUnavailable,
    );
    expect(fake.objects.size).toBe(0);
  });

  test('ends immediately if it is cancelled during a part', async () => {
    const stop = new AbortController();
    fake.trouble = ({ method, query }) => {
      if (method !== 'PUT' || !query.has('partNumber')) return null;
      stop.abort();
      return 'hang';
    };
    await expect(files.write(PLACE, inPieces(content), stop.signal)).rejects.toThrow('canceled');
    expect(fake.asked.filter((asked) => asked.includes('partNumber'))).toHaveLength(1);
    expect(fake.uploads.size).toBe(0);
  });

  test('requests no more than one part while another is being sent', async () => {
    let asked = 0;
    const counted = async function* () {
      for await (const piece of inPieces(content, 1_000)) {
        asked += piece.length;
        yield piece;
      }
    };
    const ahead: number[] = [];
    fake.trouble = ({ query }) => {
      const part = query.get('partNumber');
      if (part !== null) ahead.push(asked - Number(part) * PART);
      return null;
    };
    await files.write(PLACE, counted());
    expect(ahead).toHaveLength(4);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1_000);
  });

  test.each([
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
  ])('to a full bucket (%d %s) reports that there is no space', async (status, code) => {
    troubles((asked) => asked === `PUT ${KEY}`, [status, code]);
    expect(await failureOf(files.write(PLACE, inPieces(content.subarray(0, 9))))).toBeInstanceOf(
      PackageStorageFull,
    );
  });
});

describe('a download', () => {
  const content = randomBytes(1024 ** 2);
  const readAll = async (): Promise<Buffer> => {
    const opened = (await files.open(PLACE))!;
    const read: Uint8Array[] = [];
    for (let at = 0; at < opened.size; at += 32 * 1024) read.push(await opened.read(at, at + 32 * 1024));
    await opened.close();
    return Buffer.concat(read);
  };
  beforeEach(() => void fake.objects.set(KEY, content));

  test('takes one request if nothing fails', async () => {
    expect((await readAll()).equals(content)).toBe(true);
    expect(fake.asked.filter((asked) => asked.startsWith('GET'))).toHaveLength(1);
  });

  test.each(['break', 'break-body', 'stall', 'hang'] as const)('continues after a %s', async (trouble) => {
    troubles((asked) => asked === `GET ${KEY}`, trouble, 1);
    expect((await readAll()).equals(content)).toBe(true);
  });

  test('fails if the object has been replaced', async () => {
    const opened = (await files.open(PLACE))!;
    fake.trouble = ({ method }) => (method === 'GET' ? [412, 'PreconditionFailed'] : null);
    await expect(opened.read(0, 10)).rejects.toThrow('412 (PreconditionFailed)');
    await opened.close();
  });
});

describe('a listing', () => {
  test('returns all pages', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      fake.objects.set(`p/${CUSTOMER}/${name}.zip`, Buffer.alloc(1));
    fake.objects.set('p/other/x.zip', Buffer.alloc(1));
    expect(await files.names(CUSTOMER)).toEqual(['a.zip', 'b.zip', 'c.zip', 'd.zip', 'e.zip']);
    await files.removeAll(CUSTOMER);
    expect([...fake.objects.keys()]).toEqual(['p/other/x.zip']);
  });

  test('that loops is ended', async () => {
    fake.objects.set('p/c1/a.zip', Buffer.alloc(1));
    const page = '<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>';
    fake.page = `<ListBucketResult>${page}</ListBucketResult>`;
    await expect(files.names(CUSTOMER)).rejects.toThrow('more than 20 pages');
  });
});

describe('an unusable bucket', () => {
  const refusalOf = async (status: number, code: string): Promise<Error> => {
    fake.trouble = () => [status, code];
    return failureOf(files.customers());
  };

  test.each([
    [404, 'NoSuchBucket', 'create it, or correct PACKAGES_S3_BUCKET'],
    [403, 'AccessDenied', 'allow s3:ListBucket'],
    [403, 'InvalidAccessKeyId', 'correct PACKAGES_S3_ACCESS_KEY_ID'],
    [403, 'RequestTimeTooSkewed', 'synchronize them'],
    [301, 'PermanentRedirect', 'correct PACKAGES_S3_REGION'],
    [503, 'SlowDown', 'returned 503 (SlowDown)'],
  ])('(%d %s) is reported with what to do, and without a secret', async (status, code, advice) => {
    const error = await refusalOf(status, code);
    expect(error).toBeInstanceOf(PackageStorageUnavailable);
    expect(error.message).toContain(advice);
    const shown = JSON.stringify([{ ...error }, error.message, error.stack, error.cause]);
    for (const secret of Object.values(ACCESS_KEY)) expect(shown).not.toContain(secret);
  });

  test('that is not listening is named by its address', async () => {
    await fake.close();
    const error = await failureOf(files.customers());
    expect(error).toBeInstanceOf(PackageStorageUnavailable);
    expect(error.message).toContain(` at ${fake.endpoint} (`);
    fake = await startFakeBucket();
  });

  test('with versioning receives no files, because erased content would remain', async () => {
    fake.versioning = '<Status>Enabled</Status>';
    await expect(files.write(PLACE, inPieces(Buffer.from('x')))).rejects.toThrow('keeps versions');
    expect(fake.objects.size).toBe(0);
    fake.versioning = '<Status>Suspended</Status>';
    await files.write(PLACE, inPieces(Buffer.from('x')));
  });
});
