import type { StoredRecord } from '../port.ts';
import type { KafkaCluster, TopicPartition } from './connection/cluster.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { withRetries } from './connection/retry.ts';
import { BrokerError, CODES } from './protocol/errors.ts';
import { storedRecord } from './protocol/records.ts';
import { UnreadableRecords } from './protocol/unreadable-records.ts';

const READ_UNCOMMITTED = 0;
/** The broker returns the batch with the record whole, no matter how large, and nothing after it. */
const ONE_BATCH = 1;

/** Bytes to request when reading several records; the first batch arrives whole, no matter how large. */
const SEVERAL_BATCHES = 4 * 1024 * 1024;

/** Reads records with one request each time; joins no group and changes no committed offset. */
export function createKafkaReader(options: {
  readonly cluster: KafkaCluster;
  readonly pool: ConnectionPool;
  readonly timeoutMs: number;
}) {
  const { cluster, pool, timeoutMs } = options;

  async function fetch(
    { topic, partition }: TopicPartition,
    offset: number,
    maxBytes: number,
  ): Promise<StoredRecord[]> {
    const { responses } = await pool.request(cluster.leader(topic, partition), 'Fetch', {
      maxWaitTime: 0,
      minBytes: 0,
      maxBytes,
      isolationLevel: READ_UNCOMMITTED,
      topics: [{ topic, partitions: [{ partition, fetchOffset: `${offset}`, maxBytes }] }],
    });
    const answer = responses[0]?.partitions[0];
    if (answer === undefined || answer.errorCode === CODES.OFFSET_OUT_OF_RANGE) return [];
    if (answer.errorCode !== CODES.NONE)
      throw new BrokerError(`reading ${topic}/${partition}`, answer.errorCode);
    const { unreadable } = answer;
    if (unreadable !== null && unreadable.offset <= offset && offset < unreadable.nextOffset)
      throw new UnreadableRecords(topic, partition, offset, unreadable);
    return answer.messages
      .filter((wire) => !wire.isControlRecord && Number(wire.offset) >= offset)
      .map((wire) => storedRecord(topic, partition, wire));
  }

  /** Rejects with `LogUnavailable`. */
  const fetchRetrying = (
    what: string,
    ...range: readonly [partition: TopicPartition, offset: number, maxBytes: number]
  ): Promise<StoredRecord[]> =>
    withRetries({ what, timeoutMs, between: cluster.refresh }, () => fetch(...range));

  return {
    /** The record at an offset, or null when it was deleted or never existed. */
    read: async (partition: TopicPartition, offset: number): Promise<StoredRecord | null> => {
      const found = await fetchRetrying('reading a record', partition, offset, ONE_BATCH);
      return found.find((record) => record.offset === offset) ?? null;
    },
    readFrom: (partition: TopicPartition, offset: number): Promise<StoredRecord[]> =>
      fetchRetrying('reading records', partition, offset, SEVERAL_BATCHES),
  };
}
