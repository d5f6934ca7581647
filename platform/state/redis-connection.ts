import { Redis } from 'ioredis';
import { isReply, isUnknownCommand, unavailable } from './redis-errors.ts';
import { createGate, type GateParts } from './redis-gate.ts';
import type { RedisRules } from './redis-rights.ts';
import type { RedisScript } from './redis-script.ts';

export interface RedisConnection {
  /** Runs a script as one atomic step. */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown>;
  /** Throws why calls are refused now. */
  pass(): void;
  /** Changes with every connection that is lost. */
  generation(): number;
  /** Looks at the server's settings anew. Rejects with what is wrong. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Where the server is and who asks. */
export interface RedisTarget {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  /** Given: speak TLS. `ca`: PEM. */
  readonly tls?: { readonly ca?: string; readonly servername?: string };
}

export interface ConnectionParts extends Pick<GateParts, 'where' | 'logger'> {
  readonly target: RedisTarget;
  /** What the target's user has to be allowed. */
  readonly rules: RedisRules;
  readonly commandTimeoutMs: number;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** How long a connection that was given up may still bring answers. */
const LEAVE_MS = 250;
/** Longest wait for a server that still loads its data. */
const OPEN_TIMEOUT_MS = 30_000;

/**
 * What every connection is told. Nothing waits for a server that is away, and nothing is sent twice: whoever called
 * knows whether a repeat is safe. `maxRetriesPerRequest: 0` is what rejects the calls under way when a connection is
 * lost; without it the library forgets them and they would never settle.
 */
const behaviour = (commandTimeoutMs: number) => ({
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) =>
    Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_PAUSE_MS),
  // Scripts repeat the answer of the command that failed in them, so the code need not come first.
  reconnectOnError: (error: Error) => error.message.includes('READONLY'),
  connectTimeout: commandTimeoutMs,
  // A connection on which nothing comes back is given up: what waits on it is rejected, and another one is made.
  socketTimeout: commandTimeoutMs,
  disconnectTimeout: LEAVE_MS,
  disableClientInfo: true,
});

/**
 * Connects, and connects again for ever when the connection is lost. Rejects with `StateUnavailable` when the server
 * cannot be reached or must not be used. Every call rejects with the same while that is so.
 */
export async function connectRedis(parts: ConnectionParts): Promise<RedisConnection> {
  const { target, where } = parts;
  const redis = new Redis({ ...target, ...behaviour(parts.commandTimeoutMs) });
  const user = { name: target.username ?? 'default', rules: parts.rules };
  const gate = createGate({ ...parts, redis, database: target.db, user });
  let closed = false;

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    gate.close();
    await redis.quit().catch(() => undefined);
    redis.disconnect();
  }

  async function open(): Promise<void> {
    const deadline = setTimeout(() => redis.disconnect(), OPEN_TIMEOUT_MS);
    try {
      // What went wrong is known to the gate.
      await redis.connect().then(gate.admit, () => undefined);
      gate.pass();
    } finally {
      clearTimeout(deadline);
    }
  }

  /** False once a server older than 7.0 was met, which knows no scripts that only read. */
  let knowsReading = true;
  function evaluate(
    kind: 'EVAL' | 'EVALSHA',
    script: RedisScript,
    rest: readonly (string | number)[],
  ): Promise<unknown> {
    const text = kind === 'EVAL' ? script.lua : script.sha;
    const plainly = (): Promise<unknown> => redis.call(kind, text, ...rest);
    if (!script.isReadOnly || !knowsReading) return plainly();
    return redis.call(`${kind}_RO`, text, ...rest).catch((error: unknown) => {
      if (!isUnknownCommand(error)) throw error;
      knowsReading = false;
      return plainly();
    });
  }

  await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  redis.on('ready', () => void gate.admit());

  return {
    async run(script, keys, args) {
      gate.pass();
      const rest = [keys.length, ...keys, ...args];
      try {
        return await evaluate('EVALSHA', script, rest);
      } catch (error) {
        if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw unavailable(where, error);
      }
      // A server that is new or forgot its scripts learns this one by running it.
      return evaluate('EVAL', script, rest).catch((error: unknown) => {
        throw unavailable(where, error);
      });
    },
    async call(command, ...args) {
      gate.pass();
      try {
        return await redis.call(command, ...args);
      } catch (error) {
        throw unavailable(where, error);
      }
    },
    pass: gate.pass,
    generation: gate.generation,
    async ping() {
      // Without a connection there is nobody to ask; with wrong settings there is.
      if (closed || redis.status !== 'ready') gate.pass();
      await gate.look().catch((error: unknown) => {
        throw unavailable(where, error);
      });
      gate.pass();
    },
    close,
  };
}
