import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';
import { describeReplay } from './dead-letters.scenario.ts';

describeReplay('embedded', async () => {
  const dataDir = temporaryDataDir();
  return {
    start: (environment) => startService(dataDir, environment),
    dispose: async () => removeDataDir(dataDir),
  };
});
