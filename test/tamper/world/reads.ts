import { AsyncLocalStorage } from 'node:async_hooks';
import { TABLES } from '#schemas/tables/tables.ts';

/**
 * Records what a request reads. A request that does not read a place gives the same response whatever happens to it,
 * and need not be repeated.
 */
const reading = new AsyncLocalStorage<Set<string>>();

/** Place of the state's rows other than documents. */
export const STATE_TABLES = 'state tables';
const NAMES = new RegExp(`\\b(?:${TABLES.map(({ name }) => name).join('|')})\\b`, 'g');

export async function withReads<Result>(
  work: () => Promise<Result>,
): Promise<readonly [Result, Set<string>]> {
  const places = new Set<string>();
  return [await reading.run(places, work), places];
}

export const noteRead = (place: string): void => void reading.getStore()?.add(place);

export const noteStatement = (sql: string): void => {
  for (const [name] of sql.matchAll(NAMES)) noteRead(name);
};

export const placeOfCollection = (collection: string): string => `state: ${collection}`;
