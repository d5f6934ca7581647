import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/** How far the sink has stored a partition. */
export interface StoredPosition {
  readonly epoch: number;
  readonly partition: number;
  readonly nextOffset: number;
  /** ISO 8601: when the log took the last stored record. */
  readonly lastAt: string;
}

const OF_TOPIC = `
  SELECT epoch, \`partition\`, max(positions.nextOffset) AS nextOffset, argMax(positions.lastAt, positions.nextOffset) AS lastAt
  FROM positions
  WHERE topic = {topic:String} AND epoch = (SELECT max(epoch) FROM positions WHERE topic = {topic:String})
  GROUP BY epoch, \`partition\``;

/** Positions of a topic's partitions in the newest epoch; partitions that nothing was stored of are absent. */
export const storedPositions = (warehouse: Warehouse, topic: string): Promise<StoredPosition[]> =>
  warehouse.query<StoredPosition>(OF_TOPIC, { topic }, { maxExecutionSeconds: REQUEST_SECONDS });
