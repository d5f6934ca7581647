import type { ApiDependencies } from './dependencies.ts';

/** Id and time of a new record; a repeat under the same Idempotency-Key reuses them. */
export interface Seed {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

export function newSeed(dependencies: Pick<ApiDependencies, 'now' | 'newId'>): Seed {
  const at = dependencies.now();
  return { id: dependencies.newId(at), at: new Date(at).toISOString() };
}

const COUNTED_DIGITS = 12;
const COUNTED_RANGE = 16 ** COUNTED_DIGITS;

/** `count` ascending ids that start at one UUID: its last 48 bits are counted up, the rest is shared. */
export function idsFrom(base: string, count: number): string[] {
  const shared = base.slice(0, -COUNTED_DIGITS);
  // The lower half of the range, so that counting does not wrap within a batch.
  const first = Number.parseInt(base.slice(-COUNTED_DIGITS), 16) % (COUNTED_RANGE / 2);
  return Array.from(
    { length: count },
    (_, index) => shared + (first + index).toString(16).padStart(COUNTED_DIGITS, '0'),
  );
}
