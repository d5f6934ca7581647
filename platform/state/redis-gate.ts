import type { Redis } from 'ioredis';
import { StateUnavailable } from './port.ts';
import { type CheckedUser, checkServer } from './redis-checks.ts';
import { reasonOf, unavailable } from './redis-errors.ts';

/**
 * Whether calls may go to the server that a connection leads to. Each new connection may lead elsewhere, as after a
 * fail-over; so the gate is shut until that server's settings and role were looked at and are right.
 */
export interface RedisGate {
  /** Throws why calls are refused now. */
  pass(): void;
  /** Looks at the server; shuts or opens the gate by what it finds. Rejects when the server does not answer. */
  look(): Promise<void>;
  /** `look` for a new connection: a server that does not answer shuts the gate. */
  admit(): Promise<void>;
  /** Shuts the gate for good. */
  close(): void;
  /** Changes with every connection that is lost. */
  generation(): number;
}

export interface GateParts {
  readonly redis: Redis;
  readonly database: number;
  readonly user: CheckedUser;
  /** Host and port, for messages. */
  readonly where: string;
  readonly logger: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

/** A server with wrong settings is left and looked at again after this time: they, or the server, may have changed. */
const LOOK_AGAIN_MS = 2_000;

export function createGate({ redis, database, user, where, logger }: GateParts): RedisGate {
  let generation = 0;
  let lastReason = 'no answer in time';
  let fault: StateUnavailable | null = unreachable();
  let opened = false;
  let closed = false;
  let toldUnchecked = '';
  let again: NodeJS.Timeout | undefined;

  function unreachable(): StateUnavailable {
    return new StateUnavailable(
      `Redis at ${where} cannot be reached (${lastReason}); start it, or check its address, user and password`,
    );
  }

  function shut(reason: StateUnavailable): void {
    if (closed) return;
    if (opened && fault?.message !== reason.message)
      logger.warn({ reason: reason.message }, 'the state is unavailable');
    fault = reason;
  }

  function open(): void {
    clearTimeout(again);
    if (opened && fault !== null) logger.info({ server: where }, 'the state is available again');
    opened = true;
    fault = null;
  }

  function connectAgainLater(): void {
    clearTimeout(again);
    again = setTimeout(() => {
      if (redis.status === 'ready') redis.disconnect(true);
    }, LOOK_AGAIN_MS).unref();
  }

  function tellUnchecked(settings: readonly string[]): void {
    const list = settings.map((setting) => `"${setting}"`).join(', ');
    if (list !== '' && list !== toldUnchecked)
      logger.warn({ server: where }, `Redis does not show all of its settings; make sure of ${list}`);
    toldUnchecked = list;
  }

  async function look(): Promise<void> {
    const seen = generation;
    const { faults, unchecked } = await checkServer(redis, database, user);
    if (seen !== generation || closed) return;
    if (faults.length === 0) {
      tellUnchecked(unchecked);
      open();
      return;
    }
    shut(new StateUnavailable(`Redis at ${where} must not be used: ${faults.join('; ')}`));
    connectAgainLater();
  }

  redis.on('error', (error) => {
    lastReason = reasonOf(error);
  });
  redis.on('close', () => {
    generation += 1;
    clearTimeout(again);
    shut(unreachable());
  });

  return {
    pass() {
      if (fault !== null) throw fault;
    },
    look,
    async admit() {
      const seen = generation;
      lastReason = 'the connection is closed';
      try {
        await look();
      } catch (error) {
        if (seen !== generation) return;
        shut(unavailable(where, error));
        connectAgainLater();
      }
    },
    close() {
      closed = true;
      fault = new StateUnavailable('the state is closed');
      clearTimeout(again);
    },
    generation: () => generation,
  };
}
