import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import type { PackageFiles } from '#platform/packages/port.ts';
import { type Bucket, openBucket } from '#platform/packages/s3/bucket.ts';
import { packagesInBucket } from '#platform/packages/s3/packages-in-bucket.ts';
import { packageListOf } from '#records/packages/package-list.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';
import { expirePackagesWith } from '#records/packages/packages.ts';
import { describeOn } from '../../../../test/helpers/real-servers.ts';
import { type PackageWorld, startPackageWorld } from '../../testing/package-world.ts';
import { runPackageRound } from './package-rounds.ts';
import { sweepPackages } from './sweep-packages.ts';

describeOn('bucket', 'packages that lie in a bucket', (address) => {
  const { origin, username, password } = new URL(URL.canParse(address) ? address : 'http://nowhere');
  const name = `rounds-${randomBytes(4).toString('hex')}`;
  let bucket: Bucket;
  let files: PackageFiles;
  let world: PackageWorld;
  beforeAll(async () => {
    bucket = openBucket({
      name,
      endpoint: origin,
      region: 'us-east-1',
      prefix: 'packages',
      pathStyle: true,
      credentials: { accessKeyId: username, secretAccessKey: password },
      ca: null,
    });
    files = packagesInBucket(bucket);
    world = await startPackageWorld();
  }, 60_000);
  afterAll(async () => {
    await world.close();
    bucket.close();
  });

  test('wait for it, are made and verified in it, and are removed from it when some of their content is erased', async () => {
    const owner = await world.customer();
    await world.signal(owner);
    await world.fold();
    world.harness.skew += 2_000;
    const asked = { framework: 'GDPR', startDate: '2026-01-01', endDate: '2099-12-31' };
    await world.send(owner, 'POST', '/packages', asked);
    const { documents } = world.harness.state;
    const runRound = () => runPackageRound(world.jobs({ packages: files }), owner.id);
    const record = async (): Promise<PackageRecord> =>
      (await packageListOf(documents, owner.id)).packages[0]!;

    await runRound();
    expect(await record()).toMatchObject({ status: 'GENERATING', attempts: 0 });
    await bucket.ask('s3:CreateBucket', (client) => client.send(new CreateBucketCommand({ Bucket: name })));
    await runRound();
    const { status, file } = await record();
    expect(status).toBe('READY');
    expect(await files.names(owner.id)).toEqual([file!.name]);
    const opened = (await files.open({ customerId: owner.id, name: file!.name }))!;
    const { signingKey, settings } = world.harness.dependencies;
    expect((await verifyPackage(opened, [{ ...signingKey, name: settings.ledgerOrigin }])).faults).toEqual(
      [],
    );
    await opened.close();

    // Remains of a process that died during an upload.
    const Key = bucket.key(owner.id, 'dead.zip');
    await bucket.ask('s3:PutObject', (client) =>
      client.send(new CreateMultipartUploadCommand({ Bucket: name, Key })),
    );
    const sweep = { packages: files, state: world.harness.state };
    await sweepPackages(sweep, new AbortController().signal);
    expect(await files.names(owner.id)).toEqual([file!.name]);

    await expirePackagesWith(documents, owner.id, [[file!.holds![0], file!.holds![0]]], 0);
    await runRound();
    expect((await record()).status).toBe('EXPIRED');
    expect(await files.names(owner.id)).toEqual([]);
  });
});
