import { describe, expect, test } from '#jest';
import { SettingsError } from './setting-values.ts';
import { readSettings } from './settings.ts';

const BUCKET = { PACKAGES_S3_BUCKET: 'packages' };
const KEY = { PACKAGES_S3_ACCESS_KEY_ID: 'an-id', PACKAGES_S3_SECRET_ACCESS_KEY: 'a-secret-of-somebody' };

function faultsOf(environment: Record<string, string>): string {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults.join('\n');
  }
  return 'none';
}

describe('the storage of evidence packages', () => {
  test('is not a bucket by default, and is Amazon’s if a bucket is named', () => {
    expect(readSettings({}).packagesBucket).toBeNull();
    expect(readSettings(BUCKET).packagesBucket).toEqual({
      name: 'packages',
      endpoint: null,
      region: 'us-east-1',
      prefix: 'packages',
      pathStyle: false,
      credentials: null,
      ca: null,
    });
  });

  test('may be another server’s bucket, whose name is in the path unless that is disabled', () => {
    const other = {
      ...BUCKET,
      ...KEY,
      PACKAGES_S3_ENDPOINT: 'https://minio:9000',
      PACKAGES_S3_PREFIX: 'a/b',
    };
    expect(readSettings(other).packagesBucket).toMatchObject({
      endpoint: 'https://minio:9000',
      prefix: 'a/b',
      pathStyle: true,
      credentials: { accessKeyId: 'an-id', secretAccessKey: 'a-secret-of-somebody' },
    });
    const inHost = readSettings({ ...other, PACKAGES_S3_PATH_STYLE: 'false' });
    expect(inHost.packagesBucket).toMatchObject({ pathStyle: false });
  });

  test.each([
    [{ ...BUCKET, PACKAGES_DIR: '/packages' }, 'PACKAGES_DIR and PACKAGES_S3_BUCKET are both set; unset one'],
    [{ PACKAGES_S3_ENDPOINT: 'http://minio:9000' }, 'PACKAGES_S3_ENDPOINT also requires PACKAGES_S3_BUCKET'],
    [KEY, 'PACKAGES_S3_ACCESS_KEY_ID also requires PACKAGES_S3_BUCKET'],
    [
      { ...BUCKET, PACKAGES_S3_ACCESS_KEY_ID: 'an-id' },
      'PACKAGES_S3_ACCESS_KEY_ID also requires PACKAGES_S3_SECRET_ACCESS_KEY',
    ],
    [
      { ...BUCKET, PACKAGES_S3_SECRET_ACCESS_KEY: 'a-secret-of-somebody' },
      'PACKAGES_S3_SECRET_ACCESS_KEY also requires PACKAGES_S3_ACCESS_KEY_ID',
    ],
    [{ PACKAGES_S3_BUCKET: 'No_Bucket' }, 'PACKAGES_S3_BUCKET must be a bucket name'],
    [{ ...BUCKET, PACKAGES_S3_PREFIX: '/a' }, 'PACKAGES_S3_PREFIX must consist of letters'],
    [{ ...BUCKET, PACKAGES_S3_PREFIX: '../a' }, 'PACKAGES_S3_PREFIX must consist of letters'],
    [{ ...BUCKET, PACKAGES_S3_PREFIX: 'a/' }, 'PACKAGES_S3_PREFIX must consist of letters'],
    [
      { ...BUCKET, PACKAGES_S3_ENDPOINT: 'https://user:a-secret-of-somebody@minio' },
      'PACKAGES_S3_ENDPOINT must be a URL',
    ],
    [{ ...BUCKET, PACKAGES_S3_ENDPOINT: 'minio:9000' }, 'PACKAGES_S3_ENDPOINT must be a URL'],
  ])('%j: says what is wrong, and no secret', (environment, fault) => {
    expect(faultsOf(environment)).toContain(fault);
    expect(faultsOf(environment)).not.toContain('a-secret-of-somebody');
  });
});
