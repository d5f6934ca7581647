import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';

describe('a data folder without its original keys', () => {
  const dataDir = temporaryDataDir();
  const start = async (): Promise<void> => {
    const service = await startService(dataDir);
    expect(await service.stop()).toBe(0);
  };
  const without = async (name: string, work: () => Promise<void>): Promise<void> => {
    const file = path.join(dataDir, name);
    renameSync(file, `${file}.kept`);
    await work();
    renameSync(`${file}.kept`, file);
  };

  beforeAll(start);
  afterAll(() => removeDataDir(dataDir));

  test.each([
    ['master.key', 'Restore it from its backup: stored data is encrypted with it'],
    ['signing.key', 'Restore it from its backup; or, if it is lost, create a new one'],
  ])('creates no new %s, and the error says what to do', async (name, advice) => {
    await without(name, () =>
      expect(start()).rejects.toThrow(`no such file: ${path.join(dataDir, name)}. ${advice}`),
    );
  });

  test('rejects another master key before anything is sealed with it', async () => {
    await without('master.key', async () => {
      writeFileSync(path.join(dataDir, 'master.key'), randomBytes(32), { mode: 0o600 });
      await expect(start()).rejects.toThrow('stored data cannot be decrypted with this master key');
    });
  });

  test('starts again with the original keys', start);
});
