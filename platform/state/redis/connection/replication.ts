import { StateUnavailable } from '../../port.ts';
import type { RedisConnection } from './connection.ts';
import type { StateLogger } from './gate.ts';
import { type RedisScript, redisScript } from './script.ts';

/** A script's reply, instead of records, while their scope has its flag. */
export const UNCONFIRMED = 'UNCONFIRMED';

/**
 * Each write checks for replicas in its own atomic step (some 20 us on the server, compared with a flush to disk), so
 * that no stale answer decides. Only replicas that receive writes are counted; one that is still copying the whole data
 * set cannot confirm any. The replication offset identifies the write.
 */
const REPLICATION = `
local function replication()
  local info, online = redis.call('INFO', 'replication'), 0
  for line in string.gmatch(info, '[^\\r\\n]+') do
    if string.find(line, '^slave%d+:') and string.find(line, 'state=online', 1, true) then online = online + 1 end
  end
  return online, string.match(info, 'master_replid:(%x+)') .. ':' .. string.match(info, 'master_repl_offset:(%d+)')
end
`;

/**
 * For scripts that write and whose first key is the flag. Both return what the caller has to wait for: `flagged` after
 * a write, `renewed` when nothing was written because of an existing record, which may itself be unconfirmed.
 */
export const FLAG = `${REPLICATION}
local function flagged()
  local online, place = replication()
  if online == 0 then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], place) end
  return online .. ' ' .. place
end
local function renewed()
  if redis.call('EXISTS', KEYS[1]) == 0 then return '' end
  return flagged()
end
`;

/**
 * KEYS: flags. Rewrites those that are set, so that this connection itself writes something after the writes it will
 * wait for. Returns the number of replicas, and each flag's value or ''.
 */
const TOUCH = redisScript(
  REPLICATION,
  `
local online = replication()
local answer = { online }
for i, flag in ipairs(KEYS) do
  local held = redis.call('GET', flag)
  if held and online == 0 then redis.call('DEL', flag) end
  if held and online > 0 then redis.call('SET', flag, held, 'KEEPTTL') end
  answer[i + 1] = online > 0 and held or ''
end
return answer
`,
);

/** KEYS: flags. ARGV: their values; a flag with another value belongs to a later write. */
const CLEAR = redisScript(`
for i, flag in ipairs(KEYS) do
  if redis.call('GET', flag) == ARGV[i] then redis.call('DEL', flag) end
end
`);

interface ReplicationOptions {
  /** A separate connection: waiting for a replica blocks the connection, and admission must not queue behind it. */
  readonly connection: RedisConnection;
  /** Throws when the state refuses calls for a reason other than this connection. */
  pass(): void;
  readonly logger: StateLogger;
  /** Limit on the write and the wait together, ms. */
  readonly timeoutMs: number;
}

/** Maximum number of reads of a scope that is written continuously, where each read finds the flag of another write. */
const MAX_READS = 20;
/** Maximum number of flags per round; a caller left out reads again and joins the next round. */
const FLAGS_PER_ROUND = 500;

/**
 * Records must survive the loss of the primary. While a write waits for a replica, its scope has a flag, set by the
 * write's own script. While the flag is set, a script that reads records returns `UNCONFIRMED`, in any process. The
 * reader then waits for a replica itself or is refused: a record that only the primary has is never used as if it were
 * safe. A fail-over that loses the record also loses its flag. Without replicas there are no flags.
 *
 * Writes do not wait for a disconnected replica; to have them refused in that case, set `min-replicas-to-write` in
 * Redis itself.
 */
export class ReplicatedWrites {
  readonly #options: ReplicationOptions;
  readonly #inRounds: (flag: string) => Promise<void>;
  #replicas = -1;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#inRounds = joinRounds((flags) => this.#makeSure(flags));
  }

  /**
   * Runs a script that writes records of one scope and whose reply starts with FLAG's result, which is removed. When
   * replicas are connected, at least one has the write before this resolves. Rejects with `StateUnavailable` when none
   * confirmed in time: the write is then only on the primary, and may be lost with it.
   */
  async run(
    flag: string,
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown[]> {
    const { connection, pass, timeoutMs } = this.#options;
    pass();
    const connectedAt = connection.generation();
    const startedAt = performance.now();
    const answer = await connection.run(script, [flag, ...keys], args);
    const [flagResult, ...reply] = answer as [string, ...unknown[]];
    // Nothing was written, and everything stored is confirmed.
    if (flagResult === '') return reply;
    const [online = '', flagValue = ''] = flagResult.split(' ');
    this.#noteReplicas(Number(online));
    if (this.#replicas === 0) return reply;
    const leftMs = Math.max(1, Math.floor((timeoutMs - (performance.now() - startedAt)) / 2));
    await this.#settle([flag], [flagValue], connectedAt, leftMs);
    return reply;
  }

  /** The result of `read` after the flag is gone. Rejects with `StateUnavailable` while no replica confirms. */
  async confirmed(flag: string, read: () => Promise<unknown>): Promise<unknown> {
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const reply = await read();
      if (reply !== UNCONFIRMED) return reply;
      await this.#inRounds(flag);
    }
    throw new StateUnavailable('a record in Redis keeps changing; try again later');
  }

  #noteReplicas(found: number): void {
    const { logger } = this.#options;
    if (found === 0 && this.#replicas > 0) logger.warn({}, 'no redis replica connected');
    if (found > 0 && this.#replicas === 0) logger.info({ replicas: found }, 'redis replica connected');
    this.#replicas = found;
  }

  /** Waits until a replica has this connection's writes, then removes the flags. `connectedAt`: earlier generation. */
  async #settle(
    flags: readonly string[],
    values: readonly string[],
    connectedAt: number,
    waitMs: number,
  ): Promise<void> {
    const { connection } = this.#options;
    const confirmed = Number(await connection.call('WAIT', 1, waitMs));
    // A new connection has made no writes, so Redis would confirm at once.
    if (confirmed < 1 || connection.generation() !== connectedAt)
      throw new StateUnavailable(
        `no Redis replica confirmed a record within ${waitMs} ms, so only the primary has it; try again when replication works`,
      );
    // A remaining flag is removed by the next reader.
    await connection.run(CLEAR, flags, values).catch(() => undefined);
  }

  /** Waits until all earlier writes in these scopes are confirmed. */
  async #makeSure(flags: readonly string[]): Promise<void> {
    const { connection, pass, timeoutMs } = this.#options;
    pass();
    const connectedAt = connection.generation();
    const [online, ...values] = (await connection.run(TOUCH, flags, [])) as [number, ...string[]];
    this.#noteReplicas(online);
    if (values.every((value) => value === '')) return;
    // Shorter than for a write: callers may have waited for the previous round too.
    await this.#settle(flags, values, connectedAt, Math.max(1, Math.floor(timeoutMs / 4)));
  }
}

/**
 * One round at a time for all callers: those that arrive during a round, which may miss their writes, join the next.
 */
function joinRounds(makeSure: (flags: readonly string[]) => Promise<void>): (flag: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: { readonly flags: Set<string>; readonly done: Promise<void> } | null = null;
  const begin = () => {
    const flags = new Set<string>();
    const done = last.then(() => {
      next = null;
      return makeSure([...flags].slice(0, FLAGS_PER_ROUND));
    });
    last = done.catch(() => undefined);
    return { flags, done };
  };
  return (flag) => {
    next ??= begin();
    next.flags.add(flag);
    return next.done;
  };
}
