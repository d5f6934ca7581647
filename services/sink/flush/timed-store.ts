import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import type { SinkStore } from './store.ts';

/** Wraps the store to record each insert's time by table. */
export const timedStore = (store: SinkStore, stages: StageMetrics): SinkStore => ({
  ...store,
  insert: async (table, rows) => {
    const started = performance.now();
    await store.insert(table, rows);
    stages.ended(`insert:${table}`, rows.length, performance.now() - started);
  },
});
