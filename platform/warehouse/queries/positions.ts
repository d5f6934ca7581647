import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/** How far the sink has stored a partition. */
export interface StoredPosition {
  readonly topic: string;
  readonly epoch: number;
  readonly partition: number;
  readonly nextOffset: number;
  /** ISO 8601: when the log accepted the last stored record. */
  readonly lastAt: string;
}

const OF_TOPICS = `
  SELECT topic, epoch, \`partition\`, max(positions.nextOffset) AS nextOffset, argMax(positions.lastAt, positions.nextOffset) AS lastAt
  FROM positions
  WHERE topic IN {topics:Array(String)} AND epoch = (SELECT max(epoch) FROM positions WHERE topic IN {topics:Array(String)})
  GROUP BY topic, epoch, \`partition\``;

/** Positions of all partitions of the topics in the newest epoch; partitions without stored records are omitted. */
export const positionsOf = (warehouse: Warehouse, topics: readonly string[]): Promise<StoredPosition[]> =>
  warehouse.query<StoredPosition>(OF_TOPICS, { topics }, { maxExecutionSeconds: REQUEST_SECONDS });

export const storedPositions = (warehouse: Warehouse, topic: string): Promise<StoredPosition[]> =>
  positionsOf(warehouse, [topic]);
