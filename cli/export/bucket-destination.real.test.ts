import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '#jest';
import { openBucket } from '#platform/packages/s3/bucket.ts';
import { describeOn } from '../../test/helpers/real-servers.ts';
import { bucketDestination } from './bucket-destination.ts';
import type { Destination } from './destination.ts';

describeOn('bucket', 'exports in a bucket of a server that checks signatures', (address) => {
  const { origin, username, password } = new URL(URL.canParse(address) ? address : 'http://nowhere');
  const name = `exports-${randomBytes(4).toString('hex')}`;
  const credentials = { accessKeyId: username, secretAccessKey: password };
  const [region, endpoint] = ['us-east-1', origin];
  const bucket = openBucket({ name, endpoint, region, prefix: '', pathStyle: true, credentials, ca: null });
  let destination: Destination;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'bucket-'));
    await bucket.ask('s3:CreateBucket', (client) => client.send(new CreateBucketCommand({ Bucket: name })));
    destination = bucketDestination(`s3://${name}/daily/`, { endpoint, region, credentials });
  });
  afterAll(async () => {
    destination.close();
    bucket.close();
    await rm(folder, { recursive: true });
  });

  test('reads the text stored last, and null for an unknown name', async () => {
    expect(await destination.readText('a.json')).toBeNull();
    await destination.storeText('a.json', 'one');
    await destination.storeText('a.json', 'two');
    expect(await destination.readText('a.json')).toBe('two');
  });

  test('stores a file of several parts unchanged below the prefix', async () => {
    const content = randomBytes(11 * 2 ** 20);
    const file = path.join(folder, 'signals.parquet');
    await writeFile(file, content);
    await destination.store('signals.parquet', file);
    const input = { Bucket: name, Key: 'daily/signals.parquet' };
    const stored = await bucket.ask('s3:GetObject', async (client) =>
      (await client.send(new GetObjectCommand(input))).Body!.transformToByteArray(),
    );
    expect(Buffer.from(stored).equals(content)).toBe(true);
  });

  test('rejects an invalid address', () => {
    for (const into of ['s3://', 's3://No_Bucket/a', 's3://bucket/a?b'])
      expect(() => bucketDestination(into, { endpoint, region, credentials })).toThrow(/Write s3:\/\/bucket/);
  });
});
