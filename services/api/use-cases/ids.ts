import type { ApiParts } from '../parts.ts';

/** Id and time of a record that is to be made; a repeat under the same Idempotency-Key uses them again. */
export interface Seed {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

export function newSeed(parts: Pick<ApiParts, 'now' | 'newId'>): Seed {
  const at = parts.now();
  return { id: parts.newId(at), at: new Date(at).toISOString() };
}

/** What is no UUID names no record; asking for it is of no use. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
