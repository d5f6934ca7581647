import type { Warehouse } from '#platform/warehouse/port.ts';
import { noteStatement } from './reads.ts';

/** A warehouse with cached responses, until a table that they come from changes. */
export interface RememberedWarehouse extends Warehouse {
  /** From now on, nothing else writes to it. */
  start(): void;
  isBegun(): boolean;
  /** Drops responses from these tables. */
  changed(tables: readonly string[]): void;
}

interface Remembered {
  readonly sql: string;
  readonly rows: Promise<readonly unknown[]>;
}

type Ask = (sql: string, ...args: unknown[]) => AsyncIterable<unknown>;

/** The tests' clock stands still, so a statement returns the same rows while its tables do not change. */
export function rememberedWarehouse(warehouse: Warehouse): RememberedWarehouse {
  let isOn = false;
  const known = new Map<string, Remembered>();
  const recall = async (key: string, sql: string, ask: () => Promise<readonly unknown[]>) => {
    noteStatement(sql);
    const { rows } = known.get(key) ?? { rows: ask() };
    if (isOn) known.set(key, { sql, rows });
    return structuredClone(await rows);
  };
  const streamed = (name: 'stream' | 'streamTuples' | 'streamBytes') =>
    async function* (sql: string, ...args: unknown[]) {
      const ask = async (): Promise<readonly unknown[]> => {
        const chunks: unknown[] = [];
        for await (const chunk of (warehouse[name] as Ask).call(warehouse, sql, ...args)) chunks.push(chunk);
        return chunks;
      };
      yield* await recall(JSON.stringify([name, sql, args]), sql, ask);
    };
  const query = (sql: string, ...args: unknown[]) =>
    recall(JSON.stringify(['query', sql, args]), sql, () =>
      (warehouse.query as (sql: string, ...args: unknown[]) => Promise<unknown[]>)(sql, ...args),
    );
  return {
    ...warehouse,
    query: query as unknown as Warehouse['query'],
    stream: streamed('stream') as unknown as Warehouse['stream'],
    streamTuples: streamed('streamTuples') as unknown as Warehouse['streamTuples'],
    streamBytes: (sql, ...args) =>
      bytesOf(streamed('streamBytes')(sql, ...args) as AsyncIterable<Uint8Array>),
    start: () => {
      isOn = true;
    },
    isBegun: () => isOn,
    changed: (tables) => {
      const names = new RegExp(`\\b(?:${tables.join('|')})\\b`);
      for (const [key, { sql }] of known) if (names.test(sql)) known.delete(key);
    },
  };
}

/** A clone of a Buffer is a plain array of bytes. */
async function* bytesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
