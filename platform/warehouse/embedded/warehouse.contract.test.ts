import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openWarehouse } from '../client/clickhouse.ts';
import { describeWarehouseContract } from '../contract.ts';
import { startEmbeddedWarehouse } from './process.ts';

const logger = { info() {}, warn() {}, error() {} };

describeWarehouseContract('embedded warehouse', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'warehouse-'));
  const embedded = await startEmbeddedWarehouse({ path: folder, logger });
  const warehouse = openWarehouse({ ...embedded, logger });
  return {
    warehouse,
    async close() {
      await warehouse.close();
      await embedded.stop();
      await rm(folder, { recursive: true });
    },
  };
});
