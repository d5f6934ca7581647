import type { EntityType } from '#schemas/vocabulary.ts';
import type { Candidate } from './detector.ts';

/** Which match wins on the same characters: the lower rank; secrets first, then what has a check digit. */
const RANKS: Partial<Record<EntityType, number>> = {
  PRIVATE_KEY: 0,
  SESSION_TOKEN: 1,
  API_KEY: 1,
  PASSWORD: 1,
  CREDIT_CARD: 2,
  IBAN: 2,
  SSN: 3,
  CRYPTO_WALLET: 3,
  EMAIL: 4,
  IP_ADDRESS: 5,
  PHONE: 8,
  PERSON: 9,
  CUSTOM_RULE: 10,
};
/** Rank of matches by the words around them. */
const OTHER_RANK = 7;

/** A secret known only by its randomness loses to a match by label or check digit. */
const SURE_SECRET = 0.8;
const SECRETS: ReadonlySet<EntityType> = new Set(['API_KEY', 'PASSWORD', 'SESSION_TOKEN']);

function rankOf({ entity, confidence }: Candidate): number {
  if (entity === null || (SECRETS.has(entity) && confidence < SURE_SECRET)) return OTHER_RANK;
  return RANKS[entity] ?? OTHER_RANK;
}

/** Better matches first: rank, length, confidence, place. For matches that are no values, confidence comes before length. */
function byWorth(a: Candidate, b: Candidate): number {
  const longer = b.end - b.start - (a.end - a.start);
  const surer = b.confidence - a.confidence;
  const [first, second] = a.entity === null && b.entity === null ? [surer, longer] : [longer, surer];
  return rankOf(a) - rankOf(b) || first || second || a.start - b.start;
}

/** The better of two matches. */
export function worthier<C extends Candidate>(a: C, b: C): C {
  return byWorth(a, b) <= 0 ? a : b;
}

const byStart = (a: Candidate, b: Candidate): number => a.start - b.start || b.end - a.end;

/** Overlapping candidates are resolved at the latest when there are this many. */
const MAX_IN_CLUSTER = 1_000;

/**
 * The matches without those that overlap a better one, ordered by place: of those that overlap, the best is kept, then
 * the next one that overlaps none that is kept. Only those of a cluster (each overlaps another one of it) are compared
 * with each other, so the work grows linearly with their number. Reorders `candidates`.
 */
export function withoutOverlaps<C extends Candidate>(candidates: C[]): readonly C[] {
  if (candidates.length < 2) return candidates;
  const kept: C[] = [];
  let cluster: C[] = [];
  let clusterEnd = 0;
  const settle = (): void => {
    for (const candidate of bestOf(cluster, clusterEnd)) kept.push(candidate);
    cluster = [];
  };
  for (const candidate of candidates.sort(byStart)) {
    if (candidate.start >= clusterEnd || cluster.length === MAX_IN_CLUSTER) settle();
    // Only after a cluster that was cut: what was kept of it stays.
    if (cluster.length === 0 && candidate.start < (kept.at(-1)?.end ?? 0)) continue;
    clusterEnd = cluster.length === 0 ? candidate.end : Math.max(clusterEnd, candidate.end);
    cluster.push(candidate);
  }
  settle();
  return kept;
}

function bestOf<C extends Candidate>(cluster: C[], end: number): readonly C[] {
  const from = cluster[0]?.start ?? 0;
  if (cluster.length < 2) return cluster;
  const taken = new Uint8Array(end - from);
  const best = cluster.sort(byWorth).filter((candidate) => {
    const [first, last] = [candidate.start - from, candidate.end - from];
    // Kept spans never overlap, so checking the whole span costs no more than finding it did.
    if (taken.subarray(first, last).includes(1)) return false;
    taken.fill(1, first, last);
    return true;
  });
  return best.sort(byStart);
}
