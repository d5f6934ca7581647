import { StateUnavailable } from './port.ts';
import type { RedisConnection } from './redis-connection.ts';
import { type RedisScript, redisScript } from './redis-script.ts';

/**
 * Records must survive the loss of the server that took them. While a write waits for a replica, a flag of its scope says
 * so, set by the write's own script; a script that reads records answers `UNCONFIRMED` as long as the flag is there, in
 * whatever process. Then the reader makes sure by itself or is refused: a record that stands on the primary alone is
 * never used as if it would last. A fail-over that loses the record loses its flag with it. Without replicas there are
 * no flags.
 */
export interface ReplicatedWrites {
  /**
   * Runs a script that writes records of one scope and whose answer begins with what FLAG told; that is taken off. Where
   * replicas are connected, at least one has the write before this resolves. Rejects with `StateUnavailable` when none
   * confirmed in time: the write then stands on the primary, and may get lost with it.
   */
  run(
    flag: string,
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown[]>;
  /** What `read` answers once the flag is gone. Rejects with `StateUnavailable` while no replica confirms. */
  confirmed(flag: string, read: () => Promise<unknown>): Promise<unknown>;
}

/** What a script answers instead of reading records of a scope that has its flag. */
export const UNCONFIRMED = 'UNCONFIRMED';

/**
 * Each write looks for replicas in its own step (some 20 us of the server, against a flush to the disk), so that no older
 * knowledge decides. Counted are replicas that receive writes; one that still copies the whole data set cannot confirm
 * any. The place in the stream of writes names the write.
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
 * For scripts that write, whose first key is the flag. Both answer what the caller has to wait for: `flagged` after a
 * write, `renewed` when nothing was written because of what is there, which may be unconfirmed itself.
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
 * KEYS: flags. Writes those that are set once more, so that the connection has written something behind what it will wait
 * for. Answers how many replicas there are, and each flag's value or ''.
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

/** KEYS: flags. ARGV: their values; a flag that says something else by now is another write's. */
const CLEAR = redisScript(`
for i, flag in ipairs(KEYS) do
  if redis.call('GET', flag) == ARGV[i] then redis.call('DEL', flag) end
end
`);

interface ReplicationParts {
  /**
   * A connection of its own: waiting for a replica blocks the connection that waits, and admission must not stand
   * behind it.
   */
  readonly connection: RedisConnection;
  /** Throws when the state is refused for another reason than this connection. */
  pass(): void;
  readonly logger: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** Longest time for the write and the wait together, ms. */
  readonly timeoutMs: number;
}

/** Reads of a scope that is written again and again; each finds the flag of another write. */
const MAX_READS = 20;
/** Flags of one round; who is left out reads again and joins the next one. */
const FLAGS_PER_ROUND = 500;

/**
 * A replica whose connection is gone is waited for no longer; whoever wants writes refused in that case sets
 * `min-replicas-to-write` in Redis itself.
 */
export function replicatedWrites({
  connection,
  pass,
  logger,
  timeoutMs,
}: ReplicationParts): ReplicatedWrites {
  let replicas = -1;

  function noteReplicas(found: number): void {
    if (found === 0 && replicas > 0)
      logger.warn({}, 'Redis has no replica any more; records stand on the primary alone');
    if (found > 0 && replicas === 0)
      logger.info({ replicas: found }, 'Redis has a replica; records wait for it');
    replicas = found;
  }

  /** Waits for what this connection wrote since `connectedAt`, its generation before, then takes the flags away. */
  async function settle(
    flags: readonly string[],
    values: readonly string[],
    connectedAt: number,
    waitMs: number,
  ): Promise<void> {
    const confirmed = Number(await connection.call('WAIT', 1, waitMs));
    // A new connection knows nothing of the write and would confirm it at once.
    if (confirmed < 1 || connection.generation() !== connectedAt)
      throw new StateUnavailable(
        `no replica of Redis confirmed a record within ${waitMs} ms; it stands on the primary alone, so try again when replication works`,
      );
    // A flag that stays is taken away by who reads next.
    await connection.run(CLEAR, flags, values).catch(() => undefined);
  }

  /** Makes sure of all that was written in these scopes before. */
  async function makeSure(flags: readonly string[]): Promise<void> {
    pass();
    const connectedAt = connection.generation();
    const [online, ...values] = (await connection.run(TOUCH, flags, [])) as [number, ...string[]];
    noteReplicas(online);
    if (values.every((value) => value === '')) return;
    // Less than for a write: who waits for this may have waited for the round before too.
    await settle(flags, values, connectedAt, Math.max(1, Math.floor(timeoutMs / 4)));
  }

  const inRounds = joinRounds(makeSure);

  return {
    async run(flag, script, keys, args) {
      pass();
      const connectedAt = connection.generation();
      const begun = performance.now();
      const [told, ...reply] = (await connection.run(script, [flag, ...keys], args)) as [
        string,
        ...unknown[],
      ];
      // Nothing was written, and all that is there is confirmed.
      if (told === '') return reply;
      const [online = '', place = ''] = told.split(' ');
      noteReplicas(Number(online));
      if (replicas === 0) return reply;
      const leftMs = Math.max(1, Math.floor((timeoutMs - (performance.now() - begun)) / 2));
      await settle([flag], [place], connectedAt, leftMs);
      return reply;
    },

    async confirmed(flag, read) {
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        const reply = await read();
        if (reply !== UNCONFIRMED) return reply;
        await inRounds(flag);
      }
      throw new StateUnavailable('a record in Redis is written again and again; try again when that is over');
    },
  };
}

/** One round at a time for all who ask: who comes while one is under way, whose look may be older, joins the next. */
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
