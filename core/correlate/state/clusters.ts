import { addItem, type BandTable, emptyTable, removeItem, visitSharing } from './band-table.ts';
import { addMember, type Evidence, type Member, noEvidence } from './evidence.ts';
import { CAMPAIGN_SIMILARITY, MAX_CLUSTERS } from './rules.ts';

/** How fingerprints are compared (`core/similarity/compare.ts`). */
export interface Similarity {
  /** A fingerprint as it is compared. */
  digitsOf(fingerprint: string): readonly number[];
  /** The fingerprint that they were read from. */
  textOf(digits: readonly number[]): string;
  /** How alike the texts of two fingerprints are, 0 to 1. */
  similarityOf(one: readonly number[], other: readonly number[]): number;
  /** A bounded list of numbers below 2^20; those of near fingerprints share one. */
  bandsOf(digits: readonly number[]): readonly number[];
}

/** Prompts that are near the first of them. */
export interface Cluster {
  /** Counts up from 0 in its window. */
  readonly id: number;
  /** Of the fingerprint of the prompt that began it. */
  readonly digits: readonly number[];
  readonly evidence: Evidence;
  look: number;
  /** Among the bands. */
  index: number;
}

/** The attack prompts of a day. */
export interface Clusters {
  /** With a fingerprint. */
  prompts: number;
  nextId: number;
  readonly byId: Map<number, Cluster>;
  readonly byBand: BandTable<Cluster>;
  /** Clusters that may be of one prompt, oldest first: the next to make room. */
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
 * Puts a prompt into the cluster whose first prompt is the nearest, into a new one when none is near. null: there is no
 * room for a new one. Leaders, not chains: a prompt that is near some member but not the first one begins another
 * cluster, so that a cluster cannot wander from one text to another.
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

/** The most similar one, of equals the oldest; all that share a band are compared, `MAX_CLUSTERS` at most. */
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

/** Makes room by the oldest cluster of one prompt. False: all have more. */
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
