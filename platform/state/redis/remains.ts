import { setTimeout as sleep } from 'node:timers/promises';
import { checkRemains, type Remains } from '../check-remains.ts';
import { type State, StateUnavailable } from '../port.ts';
import type { RedisConnection } from './connection/connection.ts';
import { escapeName, type RedisKeys } from './keys.ts';

/** Keys scanned by one command. */
const KEYS_PER_SCAN = 1_000;
/** Pause between two scans, so that the server has most of its time for other calls. */
const PAUSE_MS = 1;

interface RemainsOptions {
  /** Each call has a deadline; the whole scan has none. */
  readonly connection: Pick<RedisConnection, 'call' | 'generation'>;
  readonly keys: RedisKeys;
}

/** Escapes the text for a Redis pattern. */
const literal = (text: string): string => text.replace(/[\\*?[\]^-]/g, '\\$&');

/**
 * A pattern that matches all keys with one of these prefixes and the name in them. The server accepts only one pattern,
 * and quickly skips keys whose first letters differ.
 */
function patternOf(prefixes: readonly string[], name: string): string {
  const [first = ''] = prefixes;
  let common = 0;
  while (common < first.length && prefixes.every((prefix) => prefix[common] === first[common])) common += 1;
  const next = new Set(prefixes.map((prefix) => literal(prefix[common] ?? '')));
  return `${literal(first.slice(0, common))}[${[...next].join('')}]*${literal(name)}*`;
}

/** `State.removeRemains` that scans every key: an index of a customer's marks would cost each ingest a write. */
export function createRedisRemains({ connection, keys }: RemainsOptions): State['removeRemains'] {
  async function remove({ customerId, expiringPrefix }: Remains, gone: AbortSignal): Promise<void> {
    gone.throwIfAborted();
    const prefixes = [
      keys.mark(customerId, ''),
      keys.expiring(expiringPrefix),
      keys.unconfirmedValue(expiringPrefix),
    ];
    const pattern = patternOf(prefixes, escapeName(customerId));
    const startedAt = connection.generation();
    for (let cursor = '0'; ; ) {
      const page = await connection.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN);
      const [next, found] = page as [string, string[]];
      const removed = found.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
      if (removed.length > 0) await connection.call('DEL', ...removed);
      // The cursor is meaningless on another server.
      if (connection.generation() !== startedAt)
        throw new StateUnavailable(
          'the connection to Redis was lost during the erasure of a customer; start it again',
        );
      if (next === '0') return;
      cursor = next;
      await sleep(PAUSE_MS, undefined, { signal: gone });
    }
  }

  let last: Promise<void> = Promise.resolve();
  return async (remains, gone) => {
    checkRemains(remains);
    const turn = last.then(() => remove(remains, gone));
    last = turn.catch(() => undefined);
    return turn;
  };
}
