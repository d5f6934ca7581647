import { setTimeout as sleep } from 'node:timers/promises';
import { type Remains, type State, StateUnavailable } from './port.ts';
import type { RedisConnection } from './redis-connection.ts';
import { escapeName, type RedisKeys } from './redis-keys.ts';
import { checkRemains } from './remains.ts';

/** Keys looked at by one command. */
const KEYS_PER_SCAN = 1_000;
/** Between two of them, so that the server has most of its time for others. */
const PAUSE_MS = 1;

interface RemainsParts {
  /** Each call has its own deadline; there is none for all of them. */
  readonly connection: Pick<RedisConnection, 'call' | 'generation'>;
  readonly keys: RedisKeys;
}

/** As a pattern of Redis that matches nothing else. */
const literal = (text: string): string => text.replace(/[\\*?[\]^-]/g, '\\$&');

/**
 * A pattern that all keys with one of these prefixes and the name in them match. The server leaves out what differs in the
 * first letters at little cost, and takes one pattern only.
 */
function patternOf(prefixes: readonly string[], name: string): string {
  const [first = ''] = prefixes;
  let common = 0;
  while (common < first.length && prefixes.every((prefix) => prefix[common] === first[common])) common += 1;
  const next = new Set(prefixes.map((prefix) => literal(prefix[common] ?? '')));
  return `${literal(first.slice(0, common))}[${[...next].join('')}]*${literal(name)}*`;
}

/** `State.removeRemains` by a look at every key: nothing lists a customer's marks, which would cost each ingest a write. */
export function createRedisRemains({ connection, keys }: RemainsParts): State['removeRemains'] {
  async function remove({ customerId, expiringPrefix }: Remains, gone: AbortSignal): Promise<void> {
    gone.throwIfAborted();
    const prefixes = [
      keys.mark(customerId, ''),
      keys.expiring(expiringPrefix),
      keys.unconfirmedValue(expiringPrefix),
    ];
    const pattern = patternOf(prefixes, escapeName(customerId));
    const begunAt = connection.generation();
    for (let cursor = '0'; ; ) {
      const page = await connection.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN);
      const [next, found] = page as [string, string[]];
      const removed = found.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
      if (removed.length > 0) await connection.call('DEL', ...removed);
      // To another server the cursor says nothing.
      if (connection.generation() !== begunAt)
        throw new StateUnavailable(
          'the connection to Redis was lost while a customer was erased; begin again',
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
