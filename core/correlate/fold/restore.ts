import { addCluster, type Clusters, type Similarity } from '../state/clusters.ts';
import { type Counters, emptyCounters, openWindow } from '../state/counters.ts';
import { type Evidence, evidenceOf, type Member } from '../state/evidence.ts';
import { RULES_VERSION } from '../state/rules.ts';
import type { Key, Tally, Window } from '../state/shapes.ts';
import { addTally } from '../state/tally.ts';
import type { FoldState } from './fold-state.ts';
import type { Kept } from './kept.ts';
import { restoreKeys } from './saved-keys.ts';
import type { FoldSnapshot, SavedEvidence, SavedTally, SavedWindow } from './snapshot.ts';

/** Restores a fold. null: the snapshot is of other rules, and the fold has to start again. */
export function restoredState(similarity: Similarity, snapshot: FoldSnapshot): FoldState | null {
  if (snapshot.rules !== RULES_VERSION) return null;
  const members = snapshot.members.map(([index, id, at, rank]): Member => ({ index, id, at, rank }));
  const { keys, inOrder } = restoreKeys(snapshot.keys);
  const counters: Counters = {
    ...emptyCounters(similarity, snapshot.settings),
    since: snapshot.since ?? Number.POSITIVE_INFINITY,
    keys,
  };
  for (const saved of snapshot.windows) restoreWindow(counters, saved, members, inOrder);
  const kept = (all: FoldSnapshot['open']): Map<string, Kept> =>
    new Map(
      all.map(([index, finding, evidence, description, erased, foundAt]) => [
        index,
        { finding, evidence: restored(evidence, members), description, erased, foundAt },
      ]),
    );
  const { next, watermark, sweptDay, isClosed, late, shut, open, closed } = snapshot;
  return {
    next,
    watermark,
    sweptDay,
    isClosed,
    late,
    shut: { ...shut },
    counters,
    findings: { open: kept(open), closed: kept(closed) },
  };
}

const restored = (
  [count, indexes, firstAt, lastAt, rank]: SavedEvidence,
  members: readonly Member[],
): Evidence =>
  evidenceOf(
    count,
    indexes.map((index) => members[index]!),
    { firstAt, lastAt, rank },
  );

function restoreWindow(
  counters: Counters,
  { span, start, lengthMs, tallies, clusters }: SavedWindow,
  members: readonly Member[],
  keys: readonly Key[],
): void {
  const window = openWindow(counters, span, start, lengthMs);
  for (const saved of tallies) restoreTally(window, saved, members, keys);
  if (clusters !== null && window.clusters !== null)
    restoreClusters(window.clusters, clusters, members, counters.similarity);
}

function restoreTally(
  window: Window,
  { key: index, evidence, total, parts, partTotals, look }: SavedTally,
  members: readonly Member[],
  keys: readonly Key[],
): void {
  const key = keys[index]!;
  const tally: Tally = {
    key,
    window,
    before: null,
    ...restored(evidence, members),
    total,
    parts: [...parts],
    partTotals: [...partTotals],
    look,
  };
  addTally(tally);
}

function restoreClusters(
  clusters: Clusters,
  { prompts, nextId, single, all }: NonNullable<SavedWindow['clusters']>,
  members: readonly Member[],
  { digitsOf, bandsOf }: Similarity,
): void {
  clusters.prompts = prompts;
  clusters.nextId = nextId;
  clusters.single.push(...single);
  for (const [id, fingerprint, evidence, look] of all) {
    const digits = digitsOf(fingerprint);
    const cluster = { id, digits, evidence: restored(evidence, members), look, index: 0 };
    addCluster(clusters, cluster, bandsOf(digits));
  }
}
