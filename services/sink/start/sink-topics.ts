import { DEAD_LETTERS, LEDGER, RETRY_1, RETRY_2, TRIPLETS } from '#schemas/topics.ts';

export const SINK_GROUP = 'sink';

/** Topics that the sink reads. */
export const SINK_TOPICS: readonly string[] = [TRIPLETS, RETRY_1, RETRY_2, DEAD_LETTERS, LEDGER].map(
  (topic) => topic.name,
);
