import path from 'node:path';
import { TOPICS } from '../../schemas/topics.ts';
import { bundledCodec } from '../codec/bundled.ts';
import { openEmbeddedLog } from '../event-log/embedded.ts';
import { acquireDataLock } from '../event-log/lock.ts';
import { openEmbeddedState } from '../state/embedded.ts';
import { type FaultyState, withFaults } from '../state/faults.ts';
import { openWarehouse } from '../warehouse/clickhouse.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../warehouse/embedded-process.ts';
import { migrate } from '../warehouse/migrations.ts';
import { makeDataFolder } from './data-folder.ts';
import { packageRoot } from './package-root.ts';
import type { OpenOptions, PartOpeners } from './parts.ts';

export interface EmbeddedParts extends PartOpeners {
  /** What tests make fail; null until it is opened. */
  faultyState(): FaultyState | null;
  engine(): EmbeddedWarehouse | null;
}

/**
 * The parts of a data folder. Locks the folder at once; rejects with what to do when it is in use, and each opener
 * when its data cannot be opened. Tables are brought up to date by opening the warehouse.
 */
export async function embeddedParts({
  settings,
  lifecycle,
  logger,
  now,
}: OpenOptions): Promise<EmbeddedParts> {
  const folder = makeDataFolder(settings.dataDir);
  const lock = await acquireDataLock(folder.root);
  lifecycle.add('data lock', lock.release);
  let faultyState: FaultyState | null = null;
  let engine: EmbeddedWarehouse | null = null;

  return {
    faultyState: () => faultyState,
    engine: () => engine,
    state: async () => {
      // The wrapper refuses calls only when a test tells it to.
      const state = withFaults(
        await openEmbeddedState({ path: path.join(folder.state, 'state.mdb'), now, logger }),
      );
      lifecycle.add('state', state.close);
      faultyState = state;
      return state;
    },
    log: async () => {
      const log = await openEmbeddedLog({ path: folder.log, topics: TOPICS, now, logger });
      lifecycle.add('event log', () => log.close());
      return log;
    },
    warehouse: async () => {
      const started = await startEmbeddedWarehouse({ path: folder.warehouse, logger });
      lifecycle.add('embedded warehouse', () => started.stop());
      engine = started;
      const warehouse = openWarehouse({ ...started, logger });
      lifecycle.add('warehouse connections', () => warehouse.close());
      await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'), { now });
      return warehouse;
    },
    codec: async () => bundledCodec(),
  };
}
