import { Redis } from 'ioredis';
import { isReply, isUnknownCommand, unavailable } from './errors.ts';
import { type GateOptions, RedisGate } from './gate.ts';
import type { RedisRules } from './rules.ts';
import type { RedisScript } from './script.ts';

export interface RedisEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Where the Sentinels are, their name for the primary, and how to log in to them. */
interface SentinelEndpoints {
  readonly sentinels: RedisEndpoint[];
  readonly name: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  readonly enableTLSForSentinelMode?: boolean;
  readonly sentinelTLS?: { readonly ca?: string };
}

/** The server's address, or the Sentinels that know it, and the user. */
export type RedisTarget = (RedisEndpoint | SentinelEndpoints) & RedisUser;

interface RedisUser {
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  /** When set, TLS is used. `ca`: PEM. */
  readonly tls?: { readonly ca?: string; readonly servername?: string };
}

interface ConnectionOptions extends Pick<GateOptions, 'where' | 'logger' | 'durability'> {
  readonly target: RedisTarget;
  /** Permissions that the target's user needs. */
  readonly rules: RedisRules;
  readonly commandTimeoutMs: number;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** How long an abandoned connection may still deliver replies. */
const LEAVE_MS = 250;
/** Longest wait for a server that is still loading its data. */
const OPEN_TIMEOUT_MS = 30_000;

/**
 * Options of every connection. No call waits for a server that is down, and nothing is sent twice: the caller knows
 * whether a retry is safe. `maxRetriesPerRequest: 0` rejects the calls in flight when a connection is lost; without it
 * the library drops them and they would never settle.
 */
const behaviour = (commandTimeoutMs: number) => ({
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) =>
    Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_PAUSE_MS),
  // A script's error contains the failed command's error, so the code need not come first.
  reconnectOnError: (error: Error) => error.message.includes('READONLY'),
  connectTimeout: commandTimeoutMs,
  // A connection without any reply is abandoned: its calls are rejected, and a new one is opened.
  socketTimeout: commandTimeoutMs,
  disconnectTimeout: LEAVE_MS,
  disableClientInfo: true,
});

/**
 * Connects, and reconnects indefinitely when the connection is lost. Rejects with `StateUnavailable` when the server
 * cannot be reached or must not be used; so does every call during that time.
 */
export async function connectRedis(options: ConnectionOptions): Promise<RedisConnection> {
  const connection = new RedisConnection(options);
  await connection.open().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  return connection;
}

/** A connection that reconnects when lost; calls pass while its gate is open. */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #gate: RedisGate;
  readonly #where: string;
  #isClosed = false;
  /** The socket that delays its writes until the end of the turn. */
  #corked: Redis['stream'] | null = null;
  /** False once a server older than 7.0 was found, which has no read-only scripts. */
  #knowsReading = true;

  constructor(options: ConnectionOptions) {
    const { target, rules, where, commandTimeoutMs } = options;
    this.#where = where;
    this.#redis = new Redis({ ...target, ...behaviour(commandTimeoutMs) });
    const user = { name: target.username ?? 'default', rules };
    const behindSentinels = 'sentinels' in target;
    this.#gate = new RedisGate({
      ...options,
      redis: this.#redis,
      database: target.db,
      user,
      behindSentinels,
    });
  }

  async open(): Promise<void> {
    const deadline = setTimeout(() => this.#redis.disconnect(), OPEN_TIMEOUT_MS);
    const admit = (): Promise<void> => this.#gate.admit();
    try {
      // The gate keeps the error.
      await this.#redis.connect().then(admit, () => undefined);
      this.#gate.pass();
    } finally {
      clearTimeout(deadline);
    }
    this.#redis.on('ready', () => void admit());
  }

  /** Runs a script as one atomic step. */
  async run(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    this.#gate.pass();
    const rest = [keys.length, ...keys, ...args];
    try {
      return await this.#evaluate('EVALSHA', script, rest);
    } catch (error) {
      if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw unavailable(this.#where, error);
    }
    // A new or restarted server caches the script by running it.
    return this.#evaluate('EVAL', script, rest).catch((error: unknown) => {
      throw unavailable(this.#where, error);
    });
  }

  async call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    this.#gate.pass();
    try {
      return await this.#redis.call(command, ...args);
    } catch (error) {
      throw unavailable(this.#where, error);
    }
  }

  /** Throws the reason when calls are refused now. */
  pass(): void {
    this.#gate.pass();
  }

  /** Changes whenever a connection is lost. */
  generation(): number {
    return this.#gate.generation();
  }

  /** Checks the server's settings again. Rejects with what is wrong. */
  async ping(): Promise<void> {
    // Without a connection nothing can be checked; with wrong settings the check still runs.
    if (this.#isClosed || this.#redis.status !== 'ready') this.#gate.pass();
    await this.#gate.check().catch((error: unknown) => {
      throw unavailable(this.#where, error);
    });
    this.#gate.pass();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#gate.close();
    await this.#redis.quit().catch(() => undefined);
    this.#redis.disconnect();
  }

  /** Sends the calls of one event-loop turn in one write; separately, each would cost a system call. */
  #joinWrites(): void {
    const { stream } = this.#redis;
    if (stream === this.#corked) return;
    this.#corked = stream;
    stream.cork();
    setImmediate(() => {
      stream.uncork();
      if (this.#corked === stream) this.#corked = null;
    });
  }

  #evaluate(
    kind: 'EVAL' | 'EVALSHA',
    script: RedisScript,
    rest: readonly (string | number)[],
  ): Promise<unknown> {
    const text = kind === 'EVAL' ? script.lua : script.sha;
    this.#joinWrites();
    const plainly = (): Promise<unknown> => this.#redis.call(kind, text, ...rest);
    if (!script.isReadOnly || !this.#knowsReading) return plainly();
    return this.#redis.call(`${kind}_RO`, text, ...rest).catch((error: unknown) => {
      if (!isUnknownCommand(error)) throw error;
      this.#knowsReading = false;
      return plainly();
    });
  }
}
