import { describe, expect, test } from '#jest';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';
import { describeSpine } from './spine.scenario.ts';

describeSpine('embedded', async () => {
  const dataDir = temporaryDataDir();
  return {
    start: () => startService(dataDir),
    dispose: async () => removeDataDir(dataDir),
  };
});

describe('a data folder', () => {
  test('is used by one process: a second one is rejected with a clear message', async () => {
    const dataDir = temporaryDataDir();
    const service = await startService(dataDir);
    try {
      await expect(startService(dataDir)).rejects.toThrow(/already|in use/);
    } finally {
      await service.killTree();
      removeDataDir(dataDir);
    }
  }, 60_000);
});
