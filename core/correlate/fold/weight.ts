import { bytesOf } from '../state/band-table.ts';
import type { Series } from '../state/series.ts';
import type { Key, Keys } from '../state/shapes.ts';
import type { FoldState } from './fold-state.ts';

/** Bytes of each, measured on heaps of simulated customers with 20 to 800 signals a day. */
const WEIGHTS = { key: 500, hour: 12, tally: 350, member: 100, reference: 8, cluster: 490 } as const;

/** Approximate memory use of a fold, bytes. */
export function weightOf({ counters, findings }: FoldState): number {
  let bytes = (counters.keys.size + counters.keys.openShapes) * WEIGHTS.key;
  for (const key of keysOf(counters.keys))
    bytes += (hoursOf(key.hourly) + hoursOf(key.elevated) + hoursOf(key.shapes?.days)) * WEIGHTS.hour;
  let members = 0;
  for (const span of Object.values(counters.windows)) {
    for (const { tallies, clusters } of span.values()) {
      bytes += tallies.length * WEIGHTS.tally;
      for (const tally of tallies) members += tally.members.length;
      if (clusters === null) continue;
      bytes += clusters.byId.size * WEIGHTS.cluster + bytesOf(clusters.byBand);
      for (const { evidence } of clusters.byId.values()) members += evidence.members.length;
    }
  }
  for (const kept of [findings.open, findings.closed])
    for (const { evidence } of kept.values()) members += evidence.members.length;
  // Each holder of a shared signal has its own reference; one signal counts for half a dozen tallies and findings.
  return bytes + members * (WEIGHTS.reference + WEIGHTS.member / SHARED);
}

const hoursOf = (series: Series | null | undefined): number => series?.length ?? 0;

const SHARED = 2;

function* keysOf({ risks, codes, sandboxes, providers }: Keys): Generator<Key> {
  yield* risks.values();
  yield* codes.values();
  for (const sandbox of sandboxes.values()) {
    yield* sandbox.codes.values();
    yield* sandbox.strata.values();
  }
  for (const provider of providers.values()) {
    yield* provider.codes.values();
    for (const model of provider.models.values()) yield* model.codes.values();
  }
}
