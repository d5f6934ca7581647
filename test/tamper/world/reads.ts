import { AsyncLocalStorage } from 'node:async_hooks';
import { TABLES } from '#schemas/tables/tables.ts';

/**
 * Notes what is read while something is asked. What reads nothing of a place answers the same whatever becomes of that
 * place, so it need not be asked again.
 */
const reading = new AsyncLocalStorage<Set<string>>();

/** Place of the rows that the state keeps besides documents. */
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
