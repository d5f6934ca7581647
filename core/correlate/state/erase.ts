import { type Cluster, type Clusters, removeCluster, type Similarity } from './clusters.ts';
import { type Counters, openWindows } from './counters.ts';
import { removeMembers } from './evidence.ts';
import type { Tally } from './shapes.ts';
import { partOf } from './tally.ts';

/**
 * Removes erased signals from the counters of open windows. `all`: whole rows are erased, not just fingerprints, on
 * which shapes and clusters are based. Baseline hours, the totals of shares, and the number of prompts keep their
 * counts.
 */
export function eraseFromWindows(
  counters: Counters,
  isErased: (index: number) => boolean,
  all: boolean,
): void {
  for (const window of openWindows(counters)) {
    for (const tally of window.tallies)
      if (all || tally.key.kind === 'SHAPE_CODE') eraseFromTally(tally, isErased);
    if (window.clusters !== null) eraseFromClusters(window.clusters, isErased, counters.similarity.bandsOf);
  }
}

function eraseFromTally(tally: Tally, isErased: (index: number) => boolean): void {
  const { parts, window } = tally;
  const gone = removeMembers(tally, isErased);
  if (parts.length === 0) return;
  for (const { at } of gone) parts[partOf(window, parts.length, at)]! -= 1;
}

function eraseFromClusters(
  clusters: Clusters,
  isErased: (index: number) => boolean,
  bandsOf: Similarity['bandsOf'],
): void {
  const emptied: Cluster[] = [];
  for (const cluster of clusters.byId.values()) {
    const gone = removeMembers(cluster.evidence, isErased);
    if (gone.length > 0 && cluster.evidence.count === 0) emptied.push(cluster);
  }
  for (const cluster of emptied) removeCluster(clusters, cluster, bandsOf);
}
