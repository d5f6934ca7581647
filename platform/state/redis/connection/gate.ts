import type { Redis } from 'ioredis';
import { StateUnavailable } from '../../port.ts';
import { type CheckedUser, checkServer, type Demands } from './checks.ts';
import { reasonOf, unavailable } from './errors.ts';

export interface StateLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface GateOptions extends Demands {
  readonly redis: Redis;
  readonly database: number;
  readonly user: CheckedUser;
  /** Host and port, for messages. */
  readonly where: string;
  readonly logger: StateLogger;
}

/** Time until a server with wrong settings is disconnected and checked again: they, or the server, may have changed. */
const RECHECK_MS = 2_000;

/**
 * Whether calls may go to the connected server. Each new connection may lead to a different server, as after a
 * fail-over, so the gate stays closed until that server's settings and role are checked.
 */
export class RedisGate {
  readonly #options: GateOptions;
  #generation = 0;
  #lastReason = 'no answer in time';
  #fault: StateUnavailable | null;
  #wasOpen = false;
  #isClosed = false;
  #reportedUnchecked = '';
  #again: NodeJS.Timeout | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#fault = this.#unreachable();
    const { redis } = options;
    redis.on('error', (error) => {
      this.#lastReason = reasonOf(error);
    });
    redis.on('close', () => {
      this.#generation += 1;
      clearTimeout(this.#again);
      this.#shut(this.#unreachable());
    });
  }

  /** Throws the reason when calls are refused now. */
  pass(): void {
    if (this.#fault !== null) throw this.#fault;
  }

  /** Checks the server, and opens or closes the gate accordingly. Rejects when the server does not answer. */
  async check(): Promise<void> {
    const { redis, database, user, where, durability, behindSentinels } = this.#options;
    const seen = this.#generation;
    const { faults, unchecked } = await checkServer(redis, database, user, {
      durability,
      behindSentinels,
    });
    if (seen !== this.#generation || this.#isClosed) return;
    if (faults.length === 0) {
      this.#reportUnchecked(unchecked);
      this.#open();
      return;
    }
    this.#shut(new StateUnavailable(`cannot use Redis at ${where}: ${faults.join('; ')}`));
    this.#reconnectLater();
  }

  /** `look` for a new connection: a server that does not answer closes the gate. */
  async admit(): Promise<void> {
    const seen = this.#generation;
    this.#lastReason = 'the connection is closed';
    try {
      await this.check();
    } catch (error) {
      if (seen !== this.#generation) return;
      this.#shut(unavailable(this.#options.where, error));
      this.#reconnectLater();
    }
  }

  /** Closes the gate permanently. */
  close(): void {
    this.#isClosed = true;
    this.#fault = new StateUnavailable('the state is closed');
    clearTimeout(this.#again);
  }

  /** Changes whenever a connection is lost. */
  generation(): number {
    return this.#generation;
  }

  #unreachable(): StateUnavailable {
    return new StateUnavailable(
      `cannot reach Redis at ${this.#options.where} (${this.#lastReason}); check that it is running, and check its address, user and password`,
    );
  }

  #shut(reason: StateUnavailable): void {
    if (this.#isClosed) return;
    if (this.#wasOpen && this.#fault?.message !== reason.message)
      this.#options.logger.warn({ server: this.#options.where, reason: reason.message }, 'state unavailable');
    this.#fault = reason;
  }

  #open(): void {
    clearTimeout(this.#again);
    if (this.#wasOpen && this.#fault !== null)
      this.#options.logger.info({ server: this.#options.where }, 'state available again');
    this.#wasOpen = true;
    this.#fault = null;
  }

  #reconnectLater(): void {
    const { redis } = this.#options;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      if (redis.status === 'ready') redis.disconnect(true);
    }, RECHECK_MS).unref();
  }

  #reportUnchecked(settings: readonly string[]): void {
    const list = settings.map((setting) => `"${setting}"`).join(', ');
    if (list !== '' && list !== this.#reportedUnchecked) {
      const { durability, logger, where } = this.#options;
      logger.warn({ server: where, settings, durability }, 'redis settings not verified');
    }
    this.#reportedUnchecked = list;
  }
}
