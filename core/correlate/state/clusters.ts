import { addMember, type Evidence, type Member, noEvidence } from '../evidence.ts';
import { CAMPAIGN_SIMILARITY, MAX_CANDIDATES, MAX_CLUSTERS } from '../rules.ts';

/** How fingerprints are compared (`core/similarity/compare.ts`). */
export interface Similarity {
  /** How alike the texts of two fingerprints are, 0 to 1. */
  similarity(one: string, other: string): number;
  /** A bounded list of keys; those of near fingerprints share one. */
  bands(fingerprint: string): readonly number[];
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
  /** Band -> clusters, the oldest first. */
  readonly byBand: Map<number, Cluster[]>;
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

export function addCluster(clusters: Clusters, cluster: Cluster, keys: readonly number[]): void {
  clusters.byId.set(cluster.id, cluster);
  for (const key of keys) {
    const known = clusters.byBand.get(key);
    if (known === undefined) clusters.byBand.set(key, [cluster]);
    else if (known[known.length - 1] !== cluster) known.push(cluster);
  }
}

/** The most similar one, of equals the oldest; at most `MAX_CANDIDATES` are compared, the oldest of each band first. */
function nearestOf(
  clusters: Clusters,
  similarity: Similarity['similarity'],
  fingerprint: string,
  keys: readonly number[],
): Cluster | null {
  const seen: Cluster[] = [];
  let best: Cluster | null = null;
  let bestSimilarity = CAMPAIGN_SIMILARITY;
  for (const key of keys) {
    const sharing = clusters.byBand.get(key);
    if (sharing === undefined) continue;
    for (const cluster of sharing) {
      if (seen.includes(cluster)) continue;
      if (seen.length >= MAX_CANDIDATES) return best;
      seen.push(cluster);
      const near = similarity(cluster.fingerprint, fingerprint);
      if (near < bestSimilarity || (near === bestSimilarity && best !== null && best.id < cluster.id))
        continue;
      best = cluster;
      bestSimilarity = near;
    }
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

export function removeCluster(clusters: Clusters, cluster: Cluster, bands: Similarity['bands']): void {
  clusters.byId.delete(cluster.id);
  for (const key of bands(cluster.fingerprint)) {
    const sharing = clusters.byBand.get(key);
    const place = sharing?.indexOf(cluster) ?? -1;
    if (sharing === undefined || place < 0) continue;
    if (sharing.length === 1) clusters.byBand.delete(key);
    else sharing.splice(place, 1);
  }
}
