import { setTimeout as sleep } from 'node:timers/promises';
import { StateUnavailable } from './port.ts';
import type { RedisConnection } from './redis-connection.ts';

const LOOK_MS = 200;

/**
 * Lets the server write its append-only file anew, from what it holds in memory, and waits until that has replaced the
 * old one. Rejects with `StateUnavailable` when it fails. False: the server forbids the command, as many managed
 * ones do.
 */
export async function rewriteAppendOnlyFile(
  connection: Pick<RedisConnection, 'call'>,
  gone: AbortSignal,
): Promise<boolean> {
  for (;;) {
    await endOfRewrite(connection, gone);
    const begun = await begin(connection);
    if (begun === 'forbidden') return false;
    if (begun === 'begun') break;
  }
  const status = (await endOfRewrite(connection, gone)).get('aof_last_bgrewrite_status');
  if (status === 'ok') return true;
  throw new StateUnavailable(
    'Redis could not rewrite its append-only file, so that deleted values stay in it; free space or memory',
  );
}

/** `busy`: a rewrite that began before holds up this one, and may hold what was deleted since. */
async function begin(connection: Pick<RedisConnection, 'call'>): Promise<'begun' | 'busy' | 'forbidden'> {
  try {
    await connection.call('BGREWRITEAOF');
    return 'begun';
  } catch (error) {
    const { message } = error as Error;
    if (/already in progress/i.test(message)) return 'busy';
    if (/NOPERM|unknown (sub)?command/i.test(message)) return 'forbidden';
    throw error;
  }
}

/** Waits until no rewrite is under way or about to begin; answers what the server says about its files then. */
async function endOfRewrite(
  connection: Pick<RedisConnection, 'call'>,
  gone: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    const info = String(await connection.call('INFO', 'persistence'));
    const fields = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
    const busy = ['aof_rewrite_in_progress', 'aof_rewrite_scheduled'].some(
      (name) => fields.get(name) === '1',
    );
    if (!busy) return fields;
    await sleep(LOOK_MS, undefined, { signal: gone });
  }
}
