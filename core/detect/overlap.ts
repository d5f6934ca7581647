import type { EntityType } from '../../schemas/vocabulary.ts';
import type { Candidate } from './detector.ts';

/** Which reading of the same characters wins: the lower rank; secrets first, then what has a check digit. */
const RANKS: Partial<Record<EntityType, number>> = {
  PRIVATE_KEY: 0,
  SESSION_TOKEN: 1,
  API_KEY: 1,
  PASSWORD: 1,
  CREDIT_CARD: 2,
  IBAN: 2,
  SSN: 3,
  EMAIL: 4,
  IP_ADDRESS: 5,
  PHONE: 7,
  PERSON: 9,
  CUSTOM_RULE: 10,
};
const OTHER_RANK = 6;

function rankOf({ entity }: Candidate): number {
  return entity === null ? OTHER_RANK : (RANKS[entity] ?? OTHER_RANK);
}

/** Better readings first: rank, length, confidence, place. */
function byWorth(a: Candidate, b: Candidate): number {
  return (
    rankOf(a) - rankOf(b) ||
    b.end - b.start - (a.end - a.start) ||
    b.confidence - a.confidence ||
    a.start - b.start
  );
}

/** Of two readings, the one to keep. */
export function worthier<C extends Candidate>(a: C, b: C): C {
  return byWorth(a, b) <= 0 ? a : b;
}

const byStart = (a: Candidate, b: Candidate): number => a.start - b.start || b.end - a.end;

function overlapFree(sorted: readonly Candidate[]): boolean {
  return sorted.every((candidate, i) => i === 0 || sorted[i - 1]!.end <= candidate.start);
}

/**
 * One reading per stretch of text: of candidates that overlap, the worthiest is kept. Ordered by start.
 * `length` is the length of the text; time and space grow with it, not with the square of the candidates.
 */
export function resolveOverlaps<C extends Candidate>(candidates: readonly C[], length: number): C[] {
  const sorted = candidates.toSorted(byStart);
  if (overlapFree(sorted)) return sorted;
  const taken = new Uint8Array(length);
  const kept = sorted.toSorted(byWorth).filter(({ start, end }) => {
    // Spans that are kept never overlap, so a look at the whole span costs no more than finding it did.
    if (taken.subarray(start, end).includes(1)) return false;
    taken.fill(1, start, end);
    return true;
  });
  return kept.toSorted(byStart);
}
