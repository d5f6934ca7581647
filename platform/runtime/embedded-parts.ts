import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { TOPICS } from '../../schemas/topics.ts';
import { bundledCodec } from '../codec/bundled.ts';
import { type EmbeddedLog, openEmbeddedLog } from '../event-log/embedded.ts';
import { logFileBytes } from '../event-log/embedded-file.ts';
import { acquireDataLock } from '../event-log/lock.ts';
import { openEmbeddedState } from '../state/embedded.ts';
import { type FaultyState, withFaults } from '../state/faults.ts';
import { serveState } from '../state/state-threads.ts';
import { openWarehouse } from '../warehouse/clickhouse.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../warehouse/embedded-process.ts';
import { migrate } from '../warehouse/migrations.ts';
import { makeDataFolder } from './data-folder.ts';
import { spaceOfFolder, watchDisk } from './disk-watch.ts';
import { packageRoot } from './package-root.ts';
import type { OpenOptions, PartOpeners } from './parts.ts';
import { type StorageReport, watchStorage } from './storage.ts';
import type { SharedParts } from './thread-parts.ts';

/** On a disk that is full already, enough that the log opens; the disk's own limit refuses clients then. */
const MIN_LOG_BYTES = 16 * 1024 ** 2;

export interface EmbeddedParts extends PartOpeners {
  /** What tests make fail; null until it is opened. */
  faultyState(): FaultyState | null;
  engine(): EmbeddedWarehouse | null;
  /** How much space is left, as it was seen last. */
  storage(): StorageReport;
  /** What a second thread of this process opens them with, once they are open here. Each call is for one thread. */
  share(): SharedParts;
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
  const folder = makeDataFolder(settings.dataDir, logger);
  const lock = await acquireDataLock(folder.root);
  lifecycle.add('data lock', lock.release);
  let faultyState: FaultyState | null = null;
  let engine: EmbeddedWarehouse | null = null;
  let openLog: EmbeddedLog | null = null;
  const disk = await watchDisk({
    // What lies on a server of its own has its disk there.
    folders: {
      ...(settings.kafka === null ? { log: folder.log } : {}),
      ...(settings.redis === null ? { state: folder.state } : {}),
      ...(settings.clickhouse === null ? { warehouse: folder.warehouse } : {}),
    },
    leastFreeBytes: settings.dataMinFreeBytes,
    logger,
  });
  lifecycle.add('watch over the disk', disk.stop);
  const storage = (): StorageReport => ({ log: openLog?.usage() ?? null, folders: disk.spaces() });
  const told = watchStorage(storage, logger);
  lifecycle.add('reports about space', told.stop);

  return {
    faultyState: () => faultyState,
    engine: () => engine,
    storage,
    share: () => ({
      log: openLog === null ? null : { port: connect(openLog.serve), path: folder.log },
      state: faultyState === null ? null : { port: connect((port) => serveState(port, faultyState!)) },
      warehouse:
        engine === null
          ? null
          : {
              url: engine.url,
              username: engine.username,
              password: engine.password,
              database: engine.database,
              socketFolder: engine.socketFolder,
            },
    }),
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
      const log = await openEmbeddedLog({
        path: folder.log,
        topics: TOPICS,
        now,
        logger,
        maxBytes: settings.logMaxBytes ?? (await defaultLogBytes(folder.log)),
        shortage: disk.shortage,
      });
      lifecycle.add('event log', () => log.close());
      openLog = log;
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

/** Half of what is free for the log; its own file is free for it too, or each start would find less. */
async function defaultLogBytes(folder: string): Promise<number> {
  const { freeBytes } = await spaceOfFolder(folder);
  return Math.max(MIN_LOG_BYTES, Math.floor((freeBytes + (await logFileBytes(folder))) / 2));
}

/** Serves one end of a new connection and returns the other. It does not keep this process alive. */
function connect(serve: (port: MessagePort) => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  serve(port1);
  port1.unref();
  return port2;
}
