import { Redis } from 'ioredis';
import type { EventLog } from '#platform/event-log/port.ts';
import { askEngine, type EngineAccess } from '#platform/warehouse/testing/ask-engine.ts';
import { PARTITIONS, TOPICS } from '#schemas/topics.ts';
import { filesBelow } from '../helpers/files-below.ts';

/** Everything in the stores as bytes, in any format. */

export interface Piece {
  /** Its location, e.g. `table signals`. */
  readonly location: string;
  readonly bytes: Buffer;
}

/** Every file below a folder. */
export const filesOf = (folder: string): Piece[] =>
  filesBelow(folder).map(({ name, bytes }) => ({ location: `file ${name}`, bytes }));

/** Every record of every topic: key, headers and value. */
export async function topicsOf(log: EventLog): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const { name } of TOPICS) {
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const { start, end } = await log.bounds(name, partition);
      for (let offset = start; offset < end; offset += 1) {
        const record = await log.read(name, partition, offset);
        if (record === null) continue;
        const { key, headers, value } = record;
        const named = Buffer.from(`${key} ${JSON.stringify(headers)} `);
        pieces.push({ location: `topic ${name}`, bytes: Buffer.concat([named, value ?? Buffer.alloc(0)]) });
      }
    }
  }
  return pieces;
}

/** Every column of every row of every table, including the engine's own system tables. */
export async function tablesOf(access: EngineAccess): Promise<Piece[]> {
  const query = async (sql: string): Promise<Buffer> => {
    const { status, bytes } = await askEngine(access, { body: sql });
    if (status !== 200) throw new Error(`ClickHouse answers ${status}: ${bytes.toString()}`);
    return bytes;
  };
  const stored = `SELECT database, name FROM system.tables WHERE engine LIKE '%MergeTree%' FORMAT JSONEachRow`;
  const lines = (await query(stored)).toString().trim().split('\n').filter(Boolean);
  const tables = lines.map((line) => JSON.parse(line) as { database: string; name: string });
  return Promise.all(
    tables.map(async ({ database, name }) => ({
      location: `table ${name}`,
      bytes: await query(`SELECT * FROM \`${database}\`.\`${name}\` FORMAT RowBinary`),
    })),
  );
}

/** Every value in Redis, with its key. */
export async function redisContent(url: string): Promise<Piece[]> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  try {
    const pieces: Piece[] = [];
    for await (const keys of redis.scanBufferStream({ count: 500 }) as AsyncIterable<Buffer[]>)
      for (const key of keys)
        pieces.push({ location: 'Redis', bytes: Buffer.concat([key, ...(await valuesOf(redis, key))]) });
    return pieces;
  } finally {
    redis.disconnect();
  }
}

async function valuesOf(redis: Redis, key: Buffer): Promise<Buffer[]> {
  const kind = await redis.type(key);
  if (kind === 'string') return [(await redis.getBuffer(key)) ?? Buffer.alloc(0)];
  if (kind === 'hash')
    return Object.entries(await redis.hgetallBuffer(key)).flatMap(([name, value]) => [
      Buffer.from(name),
      value,
    ]);
  if (kind === 'set') return redis.smembersBuffer(key);
  if (kind === 'zset') return redis.zrangeBuffer(key, '0', '-1');
  if (kind === 'list') return redis.lrangeBuffer(key, 0, -1);
  if (kind === 'none') return [];
  throw new Error(`cannot read Redis values of type ${kind}`);
}
