import { SCHEMA_NAMES } from '#schemas/events/events.ts';
import { CORRELATIONS, DEAD_LETTERS, LEDGER, RETRY_1, RETRY_2, SIGNALS, TRIPLETS } from '#schemas/topics.ts';

/** Topics whose records contain an event. The first is the one that the event is written to first. */
const TOPICS_OF = {
  [SCHEMA_NAMES.triplet]: [TRIPLETS, RETRY_1, RETRY_2, DEAD_LETTERS],
  [SCHEMA_NAMES.ledger]: [LEDGER],
  [SCHEMA_NAMES.folded]: [SIGNALS],
  [SCHEMA_NAMES.finding]: [CORRELATIONS],
} as const;

/** An event's registry subjects, `<topic>-value`, where other tools look for the schema of a topic's values. */
export function subjectsOf(schemaName: string): string[] {
  const topics = TOPICS_OF[schemaName as keyof typeof TOPICS_OF];
  if (topics === undefined) throw new Error(`unknown topic for schema ${schemaName}; add it to this file`);
  return topics.map((topic) => `${topic.name}-value`);
}
