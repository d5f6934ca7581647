import { addMember, type Evidence, type Member, noEvidence } from '../evidence.ts';
import { CAMPAIGN_SIMILARITY, MAX_CANDIDATES, MAX_CLUSTERS } from '../rules.ts';

/** How fingerprints are compared (`core/similarity/compare.ts`). */
export interface Similarity {
  /** How alike the texts of two fingerprints are, 0 to 1. */
  similarity(one: string, other: string): number;
  /** A bounded list of keys; those of near fingerprints share one. */
  bands(fingerprint: string): readonly string[];
}

/** Prompts that are near the first of them. */
export interface Cluster {
  /** Counts up from 0 in its window. */
  readonly id: number;
  /** Of the prompt that began it. */
  readonly fingerprint: string;
  readonly evidence: Evidence;
  look: number;
}

/** The attack prompts of a day. */
export interface Clusters {
  /** With a fingerprint. */
  prompts: number;
  nextId: number;
  readonly byId: Map<number, Cluster>;
  /** Band -> clusters, ascending. */
  readonly byBand: Map<string, number[]>;
  /** Clusters that may be of one prompt, oldest first: the next to make room. */
  readonly single: number[];
}

export const noClusters = (): Clusters => ({
  prompts: 0,
  nextId: 0,
  byId: new Map(),
  byBand: new Map(),
  single: [],
});

/**
 * Puts a prompt into the cluster whose first prompt is the nearest, into a new one when none is near. null: there is no
 * room for a new one. Leaders, not chains: a prompt that is near some member but not the first one begins another
 * cluster, so that a cluster cannot wander from one text to another.
 */
export function addPrompt(
  clusters: Clusters,
  { similarity, bands }: Similarity,
  fingerprint: string,
  member: Member,
  minSignals: number,
): Cluster | null {
  clusters.prompts += 1;
  const keys = bands(fingerprint);
  const near = nearestOf(clusters, similarity, fingerprint, keys);
  if (near !== null) {
    addMember(near.evidence, member);
    return near;
  }
  if (clusters.byId.size >= MAX_CLUSTERS && !dropOldest(clusters, bands)) return null;
  const evidence = noEvidence();
  addMember(evidence, member);
  const cluster: Cluster = { id: clusters.nextId, fingerprint, evidence, look: minSignals };
  clusters.nextId += 1;
  addCluster(clusters, cluster, keys);
  clusters.single.push(cluster.id);
  return cluster;
}

export function addCluster(clusters: Clusters, cluster: Cluster, keys: readonly string[]): void {
  clusters.byId.set(cluster.id, cluster);
  for (const key of keys) {
    const ids = clusters.byBand.get(key);
    if (ids === undefined) clusters.byBand.set(key, [cluster.id]);
    else if (ids.at(-1) !== cluster.id) ids.push(cluster.id);
  }
}

/** The most similar one, of equals the oldest; at most `MAX_CANDIDATES` are compared, the oldest of each band first. */
function nearestOf(
  clusters: Clusters,
  similarity: Similarity['similarity'],
  fingerprint: string,
  keys: readonly string[],
): Cluster | null {
  const seen = new Set<number>();
  for (const key of keys) {
    for (const id of clusters.byBand.get(key) ?? []) {
      if (seen.size >= MAX_CANDIDATES) break;
      seen.add(id);
    }
  }
  let best: Cluster | null = null;
  let bestSimilarity = CAMPAIGN_SIMILARITY;
  for (const id of seen) {
    const cluster = clusters.byId.get(id)!;
    const near = similarity(cluster.fingerprint, fingerprint);
    if (near < bestSimilarity || (near === bestSimilarity && best !== null && best.id < id)) continue;
    best = cluster;
    bestSimilarity = near;
  }
  return best;
}

/** Makes room by the oldest cluster of one prompt. False: all have more. */
function dropOldest(clusters: Clusters, bands: Similarity['bands']): boolean {
  for (let id = clusters.single.shift(); id !== undefined; id = clusters.single.shift()) {
    const cluster = clusters.byId.get(id);
    if (cluster === undefined || cluster.evidence.count > 1) continue;
    removeCluster(clusters, cluster, bands);
    return true;
  }
  return false;
}

export function removeCluster(
  clusters: Clusters,
  { id, fingerprint }: Cluster,
  bands: Similarity['bands'],
): void {
  clusters.byId.delete(id);
  for (const key of bands(fingerprint)) {
    const ids = (clusters.byBand.get(key) ?? []).filter((one) => one !== id);
    if (ids.length === 0) clusters.byBand.delete(key);
    else clusters.byBand.set(key, ids);
  }
}
