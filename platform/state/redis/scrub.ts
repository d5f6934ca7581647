import { setTimeout as sleep } from 'node:timers/promises';
import { StateUnavailable } from '../port.ts';
import type { RedisConnection } from './connection/connection.ts';

const POLL_MS = 200;

/**
 * Makes the server rewrite its append-only file from memory, and waits until the new file has replaced the old one.
 * Rejects with `StateUnavailable` when it fails. False: the server forbids the command, as many managed servers do.
 */
export async function rewriteAppendOnlyFile(
  connection: Pick<RedisConnection, 'call'>,
  gone: AbortSignal,
): Promise<boolean> {
  for (;;) {
    await endOfRewrite(connection, gone);
    const started = await begin(connection);
    if (started === 'forbidden') return false;
    if (started === 'begun') break;
  }
  const status = (await endOfRewrite(connection, gone)).get('aof_last_bgrewrite_status');
  if (status === 'ok') return true;
  throw new StateUnavailable(
    'Redis could not rewrite its append-only file, so it still contains deleted values; free disk space or memory',
  );
}

/** `busy`: an earlier rewrite delays this one, and may contain data that was deleted since it started. */
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

/** Waits until no rewrite is running or scheduled; returns the server's report about its files. */
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
    await sleep(POLL_MS, undefined, { signal: gone });
  }
}
