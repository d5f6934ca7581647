import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '#jest';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { describePackageFiles } from '../contract.ts';
import { type PackageFiles, PackageStorageUnavailable } from '../port.ts';
import { type BucketSettings, openBucket } from './bucket.ts';
import { checkBucket } from './check-bucket.ts';
import { openUploads } from './listing.ts';
import { packagesInBucket } from './packages-in-bucket.ts';

const CUSTOMER = '01993d5a-7c00-7000-8000-0000000000c4';
const MIB = 1024 ** 2;

describeOn('bucket', 'packages in a bucket of a server that checks signatures', (address) => {
  const { origin, username, password } = new URL(URL.canParse(address) ? address : 'http://nowhere');
  const settings: BucketSettings = {
    name: `packages-${randomBytes(4).toString('hex')}`,
    endpoint: origin,
    region: 'us-east-1',
    prefix: 'evidence/packages',
    pathStyle: true,
    credentials: { accessKeyId: username, secretAccessKey: password },
    ca: null,
  };
  const bucket = openBucket(settings);
  const files: PackageFiles = packagesInBucket(bucket);
  const uploads = () => openUploads(bucket, '');
  const location = (name: string) => ({ customerId: CUSTOMER, name });

  beforeAll(async () => {
    await bucket.ask('s3:CreateBucket', (client) =>
      client.send(new CreateBucketCommand({ Bucket: settings.name })),
    );
  });
  afterAll(() => bucket.close());

  describePackageFiles(() => files);

  test('a package of many parts is read back unchanged, in order and out of order', async () => {
    const content = randomBytes(12 * MIB + 17);
    await files.write(location('large.zip'), inPieces(content, 300_000));
    const opened = (await files.open(location('large.zip')))!;
    expect(opened.size).toBe(content.length);
    const read: Uint8Array[] = [];
    for (let at = 0; at < opened.size; at += 256 * 1024) read.push(await opened.read(at, at + 256 * 1024));
    expect(Buffer.concat(read).equals(content)).toBe(true);
    expect(Buffer.from(await opened.read(content.length - 22, content.length + 5))).toEqual(
      content.subarray(-22),
    );
    expect(Buffer.from(await opened.read(5 * MIB - 3, 5 * MIB + 3))).toEqual(
      content.subarray(5 * MIB - 3, 5 * MIB + 3),
    );
    await opened.close();
    expect(await uploads()).toEqual([]);
  });

  test('a package that fails after its first part, or is cancelled within a part, leaves no upload', async () => {
    const failing = async function* () {
      yield* inPieces(randomBytes(11 * MIB), MIB);
      throw new Error('broken off');
    };
    await expect(files.write(location('broken.zip'), failing())).rejects.toThrow('broken off');
    const stop = new AbortController();
    const stopping = async function* () {
      for await (const piece of inPieces(randomBytes(16 * MIB), MIB)) {
        yield piece;
        if ((await uploads()).length > 0) stop.abort(new Error('the process ends'));
      }
    };
    await expect(files.write(location('stopped.zip'), stopping(), stop.signal)).rejects.toThrow();
    expect(await uploads()).toEqual([]);
    expect(await files.open(location('broken.zip'))).toBeNull();
    expect(await files.open(location('stopped.zip'))).toBeNull();
  });

  test('an upload left by a dead process is listed as a name, and is removed with it', async () => {
    const key = bucket.key(CUSTOMER, 'dead.zip');
    for (const Key of [key, `${key}.longer`])
      await bucket.ask('s3:PutObject', (client) =>
        client.send(new CreateMultipartUploadCommand({ Bucket: settings.name, Key })),
      );
    expect(await files.names(CUSTOMER)).toEqual(expect.arrayContaining(['dead.zip', 'dead.zip.longer']));
    expect(await files.customers()).toContain(CUSTOMER);
    await files.remove(location('dead.zip'));
    expect((await uploads()).map((one) => one.key)).toEqual([`${key}.longer`]);
    await files.removeAll(CUSTOMER);
    expect(await uploads()).toEqual([]);
    expect(await files.names(CUSTOMER)).toEqual([]);
  });

  test('a part that does not match its hash is refused', async () => {
    const Key = bucket.key(CUSTOMER, 'damaged.zip');
    const wrong = { Bucket: settings.name, Key, Body: 'as it was sent', ChecksumCRC32: 'AAAAAA==' };
    await expect(
      bucket.ask('s3:PutObject', (client) => client.send(new PutObjectCommand(wrong))),
    ).rejects.toThrow('was incomplete (BadDigest)');
    expect(await files.open(location('damaged.zip'))).toBeNull();
  });

  test('a missing bucket and wrong credentials are reported with what to do', async () => {
    const missing = openBucket({ ...settings, name: 'no-such-bucket' });
    await expect(checkBucket(missing)).rejects.toThrow(
      `bucket no-such-bucket not found at ${origin}: create it, or correct PACKAGES_S3_BUCKET`,
    );
    const secretAccessKey = 'not-the-secret';
    const stranger = openBucket({ ...settings, credentials: { accessKeyId: username, secretAccessKey } });
    const refused = await checkBucket(stranger).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PackageStorageUnavailable);
    const listed = await packagesInBucket(stranger)
      .customers()
      .catch((error: unknown) => error as Error);
    expect(String(listed)).toContain('correct PACKAGES_S3_ACCESS_KEY_ID and PACKAGES_S3_SECRET_ACCESS_KEY');
    for (const error of [refused, listed] as Error[]) {
      expect(error.message).toContain('rejected the credentials (SignatureDoesNotMatch)');
      const shown = JSON.stringify([error, { ...error }, error.message, error.stack, error.cause]);
      for (const secret of [username, password, secretAccessKey]) expect(shown).not.toContain(`"${secret}"`);
    }
    missing.close();
    stranger.close();
  });
});

async function* inPieces(content: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}
