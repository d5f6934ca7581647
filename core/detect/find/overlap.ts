import type { EntityType } from '#schemas/vocabulary.ts';
import type { Candidate } from './detector.ts';

/** Of overlapping matches, the lower rank wins: secrets first, then values with a check digit. */
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
/** Rank of matches that are known only by the words around them. */
const OTHER_RANK = 7;

/** A secret below this confidence, known only by its randomness, loses to a match by label or check digit. */
const SURE_SECRET = 0.8;
const SECRETS: ReadonlySet<EntityType> = new Set(['API_KEY', 'PASSWORD', 'SESSION_TOKEN']);

function rankOf({ entity, confidence }: Candidate): number {
  if (entity === null || (SECRETS.has(entity) && confidence < SURE_SECRET)) return OTHER_RANK;
  return RANKS[entity] ?? OTHER_RANK;
}

/**
 * Better matches first: by rank, length, confidence, offset. For matches without an entity, confidence precedes length.
 */
function byRank(a: Candidate, b: Candidate): number {
  const longer = b.end - b.start - (a.end - a.start);
  const moreConfident = b.confidence - a.confidence;
  const [first, second] =
    a.entity === null && b.entity === null ? [moreConfident, longer] : [longer, moreConfident];
  return rankOf(a) - rankOf(b) || first || second || a.start - b.start;
}

export function betterOf<C extends Candidate>(a: C, b: C): C {
  return byRank(a, b) <= 0 ? a : b;
}

const byStart = (a: Candidate, b: Candidate): number => a.start - b.start || b.end - a.end;

/** Overlapping candidates are resolved once there are this many. */
const MAX_IN_CLUSTER = 1_000;

/**
 * Removes matches that overlap a better one; the result is ordered by offset. Matches are kept greedily, best first.
 * Only matches of the same cluster (connected by overlaps) are compared with each other, so the work grows linearly
 * with their number. Reorders `candidates`.
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
    // Only happens after a cluster was cut: what it kept stays.
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
  const occupied = new Uint8Array(end - from);
  const best = cluster.sort(byRank).filter((candidate) => {
    const [first, last] = [candidate.start - from, candidate.end - from];
    // Kept spans never overlap, so checking the whole span costs no more than finding the match did.
    if (occupied.subarray(first, last).includes(1)) return false;
    occupied.fill(1, first, last);
    return true;
  });
  return best.sort(byStart);
}
