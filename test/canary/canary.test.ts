import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import { TOPICS } from '#schemas/topics.ts';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';
import { describeCanary } from './canary.scenario.ts';
import { filesOf, tablesOf, topicsOf } from './stores.ts';

const logger = { info() {}, warn() {}, error() {} };

describeCanary('embedded', async () => {
  const dataDir = temporaryDataDir();
  const folder = dataFolder(dataDir);
  return {
    start: async (environment) => {
      const service = await startService(dataDir, environment);
      return { ...service, metricsUrls: () => [service.url] };
    },
    topics: async () => {
      const log = await openEmbeddedLog({ path: folder.log, topics: TOPICS });
      try {
        return await topicsOf(log);
      } finally {
        await log.close();
      }
    },
    tables: async () => {
      const engine = await startEmbeddedWarehouse({ path: folder.warehouse, logger });
      try {
        return await tablesOf(engine);
      } finally {
        await engine.stop();
      }
    },
    rest: async () => filesOf(dataDir),
    dispose: async () => removeDataDir(dataDir),
  };
});
