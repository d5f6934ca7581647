import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import type { SinkStore } from './store.ts';

/** The store, with the time of each insert counted for its table. */
export const timedStore = (store: SinkStore, stages: StageMetrics): SinkStore => ({
  ...store,
  insert: async (table, rows) => {
    const begun = performance.now();
    await store.insert(table, rows);
    stages.ended(`insert:${table}`, rows.length, performance.now() - begun);
  },
});
