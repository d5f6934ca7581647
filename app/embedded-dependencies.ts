import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { bundledCodec } from '#platform/codec/bundled.ts';
import type { Codec } from '#platform/codec/port.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import type { EmbeddedSettings } from '#platform/config/settings.ts';
import { type DataFolder, makeDataFolder } from '#platform/data-folder/data-folder.ts';
import { type DiskWatch, spaceOfFolder, watchDisk } from '#platform/data-folder/disk-watch.ts';
import { type EmbeddedLog, openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { logFileBytes } from '#platform/event-log/lmdb/file.ts';
import { acquireDataLock } from '#platform/event-log/lmdb/lock.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { serveState } from '#platform/state/lmdb/threads.ts';
import type { State } from '#platform/state/port.ts';
import { type StorageReport, watchStorage } from '#platform/telemetry/readiness/storage.ts';
import type { WarehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { TOPICS } from '#schemas/topics.ts';
import type { EmbeddedComposition } from './composition.ts';
import type { DependencyOpeners, OpenOptions } from './dependencies.ts';
import type { SharedDependencies } from './thread-dependencies.ts';

/** On a full disk, enough for the log to open; the disk watch then refuses clients. */
const MIN_LOG_BYTES = 16 * 1024 ** 2;

type EmbeddedOptions = OpenOptions<EmbeddedSettings> & Pick<EmbeddedComposition, 'openState' | 'startEngine'>;

/** The contents of a data folder: log, state and warehouse of one process tree. */
export class EmbeddedDependencies implements DependencyOpeners {
  readonly #options: EmbeddedOptions;
  readonly #folder: DataFolder;
  readonly #disk: DiskWatch;
  #log: EmbeddedLog | null = null;
  #state: State | null = null;
  #engine: EmbeddedWarehouse | null = null;

  private constructor(options: EmbeddedOptions, folder: DataFolder, disk: DiskWatch) {
    this.#options = options;
    this.#folder = folder;
    this.#disk = disk;
  }

  /**
   * Locks the folder at once; rejects with what to do when it is in use, and each opener when its data cannot be
   * opened. The lifecycle closes what was opened.
   */
  static async lock(options: EmbeddedOptions): Promise<EmbeddedDependencies> {
    const { settings, lifecycle, logger } = options;
    const folder = makeDataFolder(settings.dataDir, logger);
    const lock = await acquireDataLock(folder.root);
    lifecycle.add('data lock', lock.release);
    const { log, state, warehouse } = folder;
    const leastFreeBytes = settings.dataMinFreeBytes;
    const disk = await watchDisk({ folders: { log, state, warehouse }, leastFreeBytes, logger });
    lifecycle.add('disk watch', disk.stop);
    return new EmbeddedDependencies(options, folder, disk);
  }

  async log(): Promise<EmbeddedLog> {
    const { settings, now, logger, lifecycle } = this.#options;
    const log = await openEmbeddedLog({
      path: this.#folder.log,
      topics: TOPICS,
      now,
      logger,
      maxBytes: settings.logMaxBytes ?? (await defaultLogBytes(this.#folder.log)),
      shortage: this.#disk.shortage,
    });
    lifecycle.add('event log', () => log.close());
    this.#log = log;
    lifecycle.add('storage watch', watchStorage(() => this.storage(), logger).stop);
    return log;
  }

  async state(): Promise<State> {
    const { now, logger, lifecycle, openState = openEmbeddedState } = this.#options;
    const state = await openState({ path: path.join(this.#folder.state, 'state.mdb'), now, logger });
    lifecycle.add('state', () => state.close());
    this.#state = state;
    return state;
  }

  /** Also applies its migrations. */
  async warehouse(): Promise<Warehouse> {
    const { now, logger, lifecycle, startEngine = startEmbeddedWarehouse } = this.#options;
    const engine = await startEngine({ path: this.#folder.warehouse, logger });
    lifecycle.add('embedded warehouse', () => engine.stop());
    this.#engine = engine;
    const warehouse = openWarehouse({ ...engine, logger });
    lifecycle.add('warehouse connections', () => warehouse.close());
    await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'), { now });
    return warehouse;
  }

  async codec(): Promise<Codec> {
    return bundledCodec();
  }

  /** Free space at the last check; needs an open log. */
  storage(): StorageReport {
    return { log: opened(this.#log).usage(), folders: this.#disk.spaces() };
  }

  /** Connections for a second thread, once the dependencies are open. One call per thread. */
  share(): SharedDependencies {
    const [log, state] = [opened(this.#log), opened(this.#state)];
    return {
      log: { port: connect(log.serve), path: this.#folder.log },
      state: { port: connect((port) => serveState(port, state)) },
      warehouse: this.warehouseAddress(),
    };
  }

  /** The engine's address for a thread. */
  warehouseAddress(): WarehouseAddress {
    const { url, username, password, database, socketFolder } = opened(this.#engine);
    return { url, username, password, database, socketFolder };
  }
}

function opened<Opened>(one: Opened | null): Opened {
  if (one === null) throw new Error('a dependency was used before it was opened');
  return one;
}

/** Half of the free space; the log's own file counts as free, or each start would get less. */
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
