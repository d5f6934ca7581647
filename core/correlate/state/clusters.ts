import { addItem, type BandTable, emptyTable, removeItem, visitSharing } from './band-table.ts';
import { addMember, type Evidence, type Member, noEvidence } from './evidence.ts';
import { CAMPAIGN_SIMILARITY, MAX_CLUSTERS } from './rules.ts';

/** How fingerprints are compared (`core/similarity/compare.ts`). */
export interface Similarity {
  /** Parses a fingerprint for comparison. */
  digitsOf(fingerprint: string): readonly number[];
  /** The fingerprint that the digits were parsed from. */
  textOf(digits: readonly number[]): string;
  /** How similar the texts of two fingerprints are, 0 to 1. */
  similarityOf(one: readonly number[], other: readonly number[]): number;
  /** A bounded list of numbers below 2^20; similar fingerprints share one. */
  bandsOf(digits: readonly number[]): readonly number[];
}

/** Prompts similar to the first of them. */
export interface Cluster {
  /** Counts up from 0 in its window. */
  readonly id: number;
  /** The fingerprint of its first prompt. */
  readonly digits: readonly number[];
  readonly evidence: Evidence;
  look: number;
  /** Its index in the band table. */
  index: number;
}

/** The attack prompts of a day. */
export interface Clusters {
  /** Prompts with a fingerprint. */
  prompts: number;
  nextId: number;
  readonly byId: Map<number, Cluster>;
  readonly byBand: BandTable<Cluster>;
  /** Clusters that may have only one prompt, oldest first: these are dropped first. */
  readonly single: number[];
}

export const noClusters = (): Clusters => ({
  prompts: 0,
  nextId: 0,
  byId: new Map(),
  byBand: emptyTable(),
  single: [],
});

/**
 * Adds a prompt to the cluster with the most similar first prompt, or to a new one if none is similar enough. null: no
 * room for a new one. Prompts are compared with the first one only: one that is similar to another member starts a new
 * cluster, so that a cluster cannot drift from one text to another.
 */
export function addPrompt(
  clusters: Clusters,
  { digitsOf, similarityOf, bandsOf }: Similarity,
  fingerprint: string,
  member: Member,
  minSignals: number,
): Cluster | null {
  clusters.prompts += 1;
  const digits = digitsOf(fingerprint);
  const keys = bandsOf(digits);
  const near = nearestOf(clusters, similarityOf, digits, keys);
  if (near !== null) {
    addMember(near.evidence, member);
    return near;
  }
  if (clusters.byId.size >= MAX_CLUSTERS && !dropOldest(clusters, bandsOf)) return null;
  const evidence = noEvidence();
  addMember(evidence, member);
  const cluster: Cluster = { id: clusters.nextId, digits, evidence, look: minSignals, index: 0 };
  clusters.nextId += 1;
  addCluster(clusters, cluster, keys);
  clusters.single.push(cluster.id);
  return cluster;
}

export function addCluster(clusters: Clusters, cluster: Cluster, keys: readonly number[]): void {
  clusters.byId.set(cluster.id, cluster);
  cluster.index = addItem(clusters.byBand, cluster, keys);
}

/** The most similar cluster, the oldest of equals; compares all that share a band, at most `MAX_CLUSTERS`. */
function nearestOf(
  clusters: Clusters,
  similarityOf: Similarity['similarityOf'],
  digits: readonly number[],
  keys: readonly number[],
): Cluster | null {
  let best = null as Cluster | null;
  let bestSimilarity = CAMPAIGN_SIMILARITY;
  visitSharing(clusters.byBand, keys, (cluster) => {
    const near = similarityOf(cluster.digits, digits);
    if (near < bestSimilarity || (near === bestSimilarity && best !== null && best.id < cluster.id)) return;
    best = cluster;
    bestSimilarity = near;
  });
  return best;
}

/** Drops the oldest cluster with one prompt to make room. False: all have more. */
function dropOldest(clusters: Clusters, bandsOf: Similarity['bandsOf']): boolean {
  for (let id = clusters.single.shift(); id !== undefined; id = clusters.single.shift()) {
    const cluster = clusters.byId.get(id);
    if (cluster === undefined || cluster.evidence.count > 1) continue;
    removeCluster(clusters, cluster, bandsOf);
    return true;
  }
  return false;
}

export function removeCluster(clusters: Clusters, cluster: Cluster, bandsOf: Similarity['bandsOf']): void {
  clusters.byId.delete(cluster.id);
  removeItem(clusters.byBand, cluster.index, bandsOf(cluster.digits));
}
