import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateFolder } from '#platform/data-folder/private-folder.ts';
import type { WarehouseLogger } from '../port.ts';
import { endEngine, launchEngine } from './launch.ts';
import { SOCKET_LOST_EXIT_CODE } from './messages.ts';

interface EmbeddedWarehouseOptions {
  /** Data folder; created if missing, closed to other users. Only one process at a time may open it. */
  readonly path: string;
  readonly logger: WarehouseLogger;
  /** How long to wait for another engine that still has the data open while it exits (default 10,000 ms). */
  readonly lockWaitMs?: number;
  /** Called when the engine's process ended on its own; it is being restarted. */
  readonly onDown?: () => void;
  /** Called when the engine answers again. */
  readonly onUp?: () => void;
}

/** An engine may briefly outlive its parent and hold the lock on the data. */
const LOCK_WAIT_MS = 10_000;
const FIRST_BACKOFF_MS = 50;
const LAST_BACKOFF_MS = 5_000;
/** A name that never resolves, in case a caller forgets the socket. */
const NAME = 'http://embedded-warehouse.invalid';

/**
 * Starts the embedded ClickHouse in a separate process and keeps it running. Rejects if the data cannot be opened, for
 * instance because another process has them open for longer than `lockWaitMs`.
 */
export async function startEmbeddedWarehouse(options: EmbeddedWarehouseOptions): Promise<EmbeddedWarehouse> {
  const engine = new EmbeddedWarehouse(options);
  await engine.start();
  return engine;
}

/** The engine's process, restarted whenever it ends on its own. */
export class EmbeddedWarehouse {
  /** Only a name: the engine listens only on a socket in `socketFolder`. */
  readonly url = NAME;
  readonly username = 'default';
  readonly database = 'default';
  /** Unchanged by restarts, as are the credentials. */
  readonly socketFolder: string;
  readonly password = randomBytes(24).toString('base64url');
  readonly #options: EmbeddedWarehouseOptions;
  #child: ChildProcess | null = null;
  #isStopping = false;

  constructor(options: EmbeddedWarehouseOptions) {
    this.#options = options;
    this.socketFolder = path.resolve(options.path);
  }

  async start(): Promise<void> {
    this.#adopt(await this.#launch());
    this.#options.logger.info({ pid: this.pid(), path: this.socketFolder }, 'embedded warehouse started');
  }

  /** Process id of the engine, or null while it is down. */
  pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Stops the engine's process cleanly; it is not restarted. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child !== null) await endEngine(this.#child);
  }

  async #launch(): Promise<ChildProcess> {
    const { logger, lockWaitMs = LOCK_WAIT_MS } = this.#options;
    const folder = this.socketFolder;
    const oldMode = makePrivateFolder(folder);
    if (oldMode !== null) {
      logger.warn(
        { path: folder, previousMode: oldMode.toString(8) },
        'restricted permissions of warehouse folder',
      );
    }
    const { child, strangerId } = await launchEngine({ folder, password: this.password, lockWaitMs });
    if (strangerId !== null) {
      logger.error(
        { path: folder, userId: strangerId },
        'removed another user’s file at the warehouse socket path',
      );
    }
    return child;
  }

  #adopt(child: ChildProcess): void {
    const { logger, onDown } = this.#options;
    this.#child = child;
    child.once('exit', (code, signal) => {
      this.#child = null;
      if (this.#isStopping) return;
      const reason = code === SOCKET_LOST_EXIT_CODE ? 'its socket was removed or replaced' : undefined;
      logger.warn({ code, signal, reason }, 'embedded warehouse exited unexpectedly; restarting');
      onDown?.();
      void this.#restart();
    });
  }

  async #restart(): Promise<void> {
    const { logger, onUp } = this.#options;
    for (
      let backoff = FIRST_BACKOFF_MS;
      !this.#isStopping;
      backoff = Math.min(backoff * 2, LAST_BACKOFF_MS)
    ) {
      await sleep(backoff);
      if (this.#isStopping) return;
      try {
        const child = await this.#launch();
        if (this.#isStopping) {
          await endEngine(child);
          return;
        }
        this.#adopt(child);
        logger.info({ pid: child.pid }, 'embedded warehouse restarted');
        onUp?.();
        return;
      } catch (error) {
        const reason = (error as Error).message;
        logger.error({ reason }, 'failed to start embedded warehouse; retrying');
      }
    }
  }
}
