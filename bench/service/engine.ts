import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse, type WarehouseOptions } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { usageOf } from '../load/process-usage.ts';

const silent = { info() {}, warn() {}, error() {} };

/** The embedded engine without a service. */
interface Engine {
  readonly warehouse: Warehouse;
  readonly address: Omit<WarehouseOptions, 'logger'>;
  cpuSeconds(): number;
}

/** Runs the engine on a folder while `work` runs. */
export async function onEngine(folder: string, work: (engine: Engine) => Promise<void>): Promise<void> {
  const address = await startEmbeddedWarehouse({ path: folder, logger: silent });
  const warehouse = openWarehouse({ ...address, logger: silent });
  try {
    await work({ warehouse, address, cpuSeconds: () => usageOf(address.pid() ?? 0).cpuSeconds });
  } finally {
    await warehouse.close();
    await address.stop();
  }
}

/** The same with the product's tables, in a temporary folder. */
export async function onNewEngine(work: (engine: Engine, folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cas-bench-'));
  try {
    await onEngine(path.join(folder, 'warehouse'), async (engine) => {
      await migrate(engine.warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
      await work(engine, folder);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
