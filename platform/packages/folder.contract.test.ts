import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { describePackageFiles } from './contract.ts';
import { packagesInFolder } from './folder.ts';
import { type PackageFiles, PackageStorageFull } from './port.ts';

const CUSTOMER = '01993d5a-7c00-7000-8000-0000000000c3';
let root: string;
let files: PackageFiles;
let free = 2 ** 40;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'packages-'));
  files = packagesInFolder({
    folder: path.join(root, 'packages'),
    leastFreeBytes: 2 ** 30,
    spaceOf: async () => ({ freeBytes: free, totalBytes: 2 ** 41 }),
  });
});
afterAll(() => rmSync(root, { recursive: true }));

describe('packages in a folder', () => {
  describePackageFiles(() => files);

  test('are not readable for other users', async () => {
    await files.write({ customerId: CUSTOMER, name: 'private.zip' }, zeros(1, 10));
    const folder = path.join(root, 'packages', CUSTOMER);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'private.zip')).mode & 0o777).toBe(0o600);
  });

  test('leave space on the disk: a file that would use it is abandoned, and nothing of it remains', async () => {
    const location = { customerId: CUSTOMER, name: 'large.zip' };
    const filling = async function* () {
      for await (const piece of zeros(40, 2 ** 20)) {
        yield piece;
        // Another program fills the disk meanwhile.
        free = 2 ** 30;
      }
    };
    await expect(files.write(location, filling())).rejects.toThrow(PackageStorageFull);
    expect(await files.open(location)).toBeNull();
    free = 2 ** 40;
  });
});

async function* zeros(count: number, bytes: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; number < count; number += 1) yield Buffer.alloc(bytes);
}
