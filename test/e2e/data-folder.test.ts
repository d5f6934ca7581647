import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

describe('the data folder of a running service', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    // A child process inherits this umask; a stricter one would hide the service's own.
    const before = process.umask(0);
    try {
      service = await startService(dataDir);
    } finally {
      process.umask(before);
    }
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
  });

  test('is made private when others could enter it, and the log says so', () => {
    expect(lstatSync(dataDir).mode & 0o777).toBe(0o700);
    expect(service.output()).toMatch(/"previousMode":"755".*restricted permissions of data folder/);
  });

  test('contains nothing that others could read, under any umask', () => {
    const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const found = lstatSync(path.join(dataDir, name), { throwIfNoEntry: false });
      return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
    });
    expect(open).toEqual([]);
  });

  test('rejects a second service', async () => {
    await expect(startService(dataDir)).rejects.toThrow(`the data folder ${dataDir} is in use`);
  });
});
