import type { StoredRecord } from '#platform/event-log/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { groupBy } from '#schemas/group-by.ts';
import { CORRELATIONS, SIGNALS } from '#schemas/topics.ts';
import type { Harness } from '#services/api/testing/harness.ts';
import type { RealWarehouse } from '#services/api/testing/real-warehouse.ts';
import { createPatterns } from '#services/correlator/patterns/pipeline.ts';
import { createCorrelator } from '#services/correlator/policies/pipeline.ts';
import { findingBatches } from '#services/sink/findings/finding-batches.ts';
import { warehouseStore } from '#services/sink/flush/queries.ts';

const PATTERN_BYTES = 2 ** 26;

/** Policies and patterns over the harness' log, and the part of the sink that stores their results. */
export function correlatorsOf(harness: Harness, { warehouse }: RealWarehouse) {
  const { codec, log, state, announce, now } = harness.dependencies;
  const shared = {
    warehouse,
    decodeFoldedEntries: codec.decodeFoldedEntries,
    yieldTurn: async () => undefined,
  };
  const { documents } = state;
  const makeEntry = entryMaker(harness.dependencies);
  const policies = createCorrelator({ ...shared, documents, makeEntry, announce, now });
  const patterns = createPatterns({ ...shared, log, codec, maxBytes: PATTERN_BYTES });
  const storeFindings = findingBatches({
    store: warehouseStore(warehouse),
    decodeFinding: async (value) => codec.decodeFinding(value),
    logger: { warn: () => undefined },
    metrics: {},
    inserts: { everyMs: 0, gatherMs: 0 },
  });
  const done = new Map<string, number>();
  const newRecords = (topic: string): Map<number, StoredRecord[]> => {
    const records = harness.log.of(topic).slice(done.get(topic) ?? 0);
    done.set(topic, (done.get(topic) ?? 0) + records.length);
    return groupBy(records, ({ partition }) => partition);
  };
  return {
    /** Processes new records of the log; returns false if there were none. */
    process: async (): Promise<boolean> => {
      const folded = newRecords(SIGNALS.name);
      for (const [partition, records] of folded) {
        const nextOffset = records.at(-1)!.offset + 1;
        const batch = { topic: SIGNALS.name, partition, records, nextOffset, end: nextOffset };
        await policies.process(batch);
        await patterns.process(batch);
      }
      await patterns.beforeCommits([...folded.keys()]);
      for (const [partition, records] of newRecords(CORRELATIONS.name)) {
        const nextOffset = records.at(-1)!.offset + 1;
        await storeFindings({ topic: CORRELATIONS.name, partition, records, nextOffset, end: nextOffset });
      }
      await harness.settled();
      return folded.size > 0;
    },
  };
}
