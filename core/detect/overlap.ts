import type { EntityType } from '../../schemas/vocabulary.ts';
import type { Candidate } from './detector.ts';
import { sortInSteps } from './sort.ts';

/** Which reading of the same characters wins: the lower rank; secrets first, then what has a check digit. */
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
/** What is known by the words around it. */
const OTHER_RANK = 7;

/** A secret that only looks drawn by chance gives way to whatever a label or a check digit says it is. */
const SURE_SECRET = 0.8;
const SECRETS: ReadonlySet<EntityType> = new Set(['API_KEY', 'PASSWORD', 'SESSION_TOKEN']);

function rankOf({ entity, confidence }: Candidate): number {
  if (entity === null || (SECRETS.has(entity) && confidence < SURE_SECRET)) return OTHER_RANK;
  return RANKS[entity] ?? OTHER_RANK;
}

/** Better readings first: rank, length, confidence, place. Of what is no value, confidence counts before length. */
function byWorth(a: Candidate, b: Candidate): number {
  const longer = b.end - b.start - (a.end - a.start);
  const surer = b.confidence - a.confidence;
  const [first, second] = a.entity === null && b.entity === null ? [surer, longer] : [longer, surer];
  return rankOf(a) - rankOf(b) || first || second || a.start - b.start;
}

/** Of two readings, the one to keep. */
export function worthier<C extends Candidate>(a: C, b: C): C {
  return byWorth(a, b) <= 0 ? a : b;
}

const byStart = (a: Candidate, b: Candidate): number => a.start - b.start || b.end - a.end;

/** Candidates that lie across each other are weighed at the latest when there are so many of them. */
const MOST_IN_CLUSTER = 1_000;

/** Candidates taken between two yields. */
const STRETCH = 1_000;

/** Keeps one reading per stretch of text; candidates come in any order, those that are kept are ordered by start. */
export interface OverlapResolver<C extends Candidate> {
  add(candidate: C): void;
  /** Candidates that begin before this place have all been added. Yields after each stretch of work. */
  settleInSteps(before: number): Generator<void, void>;
  /** What is kept of the candidates before the place that was last settled. */
  readonly kept: C[];
}

/**
 * Of candidates that overlap, the worthiest is kept, then the next one that overlaps none that is kept. Only those of
 * a cluster (each overlaps another one of it) are weighed against each other, so the work grows with their number.
 */
export function createOverlapResolver<C extends Candidate>(): OverlapResolver<C> {
  const kept: C[] = [];
  let coming: C[] = [];
  let cluster: C[] = [];
  let clusterEnd = 0;

  const finish = (): void => {
    for (const candidate of bestOf(cluster, clusterEnd)) kept.push(candidate);
    cluster = [];
  };
  const take = (candidate: C): void => {
    if (candidate.start >= clusterEnd || cluster.length === MOST_IN_CLUSTER) finish();
    // Only after a cluster that was cut: what was kept of it stays.
    if (cluster.length === 0 && candidate.start < (kept.at(-1)?.end ?? 0)) return;
    clusterEnd = cluster.length === 0 ? candidate.end : Math.max(clusterEnd, candidate.end);
    cluster.push(candidate);
  };

  return {
    kept,
    add: (candidate) => coming.push(candidate),
    settleInSteps: function* (before) {
      if (coming.length > 0) {
        const waiting: C[] = [];
        let taken = 0;
        for (const candidate of yield* sortInSteps(coming, byStart)) {
          if (candidate.start < before) take(candidate);
          else waiting.push(candidate);
          if (++taken % STRETCH === 0) yield;
        }
        coming = waiting;
      }
      if (clusterEnd <= before) finish();
    },
  };
}

function bestOf<C extends Candidate>(cluster: C[], end: number): readonly C[] {
  const from = cluster[0]?.start ?? 0;
  if (cluster.length < 2) return cluster;
  const taken = new Uint8Array(end - from);
  const best = cluster.sort(byWorth).filter((candidate) => {
    const [first, last] = [candidate.start - from, candidate.end - from];
    // Spans that are kept never overlap, so a look at the whole span costs no more than finding it did.
    if (taken.subarray(first, last).includes(1)) return false;
    taken.fill(1, first, last);
    return true;
  });
  return best.sort(byStart);
}
