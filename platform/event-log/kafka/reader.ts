import type { StoredRecord } from '../port.ts';
import { UnreadableRecords } from '../unreadable-records.ts';
import type { KafkaCluster, TopicPartition } from './connection/cluster.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { withRetries } from './connection/retry.ts';
import { BrokerError, CODES } from './protocol/errors.ts';
import { storedRecord } from './protocol/records.ts';

const READ_UNCOMMITTED = 0;
/** The batch that holds the record comes whole, however large it is; and nothing after it. */
const ONE_BATCH = 1;

/** Reads single records, each with one request; joins no group and touches no committed offset. */
export function createKafkaReader(options: {
  readonly cluster: KafkaCluster;
  readonly pool: ConnectionPool;
  readonly timeoutMs: number;
}) {
  const { cluster, pool, timeoutMs } = options;

  async function fetchOne(
    { topic, partition }: TopicPartition,
    offset: number,
  ): Promise<StoredRecord | null> {
    const { responses } = await pool.request(cluster.leader(topic, partition), 'Fetch', {
      maxWaitTime: 0,
      minBytes: 0,
      maxBytes: ONE_BATCH,
      isolationLevel: READ_UNCOMMITTED,
      topics: [{ topic, partitions: [{ partition, fetchOffset: `${offset}`, maxBytes: ONE_BATCH }] }],
    });
    const answer = responses[0]?.partitions[0];
    if (answer === undefined || answer.errorCode === CODES.OFFSET_OUT_OF_RANGE) return null;
    if (answer.errorCode !== CODES.NONE)
      throw new BrokerError(`reading ${topic}/${partition}`, answer.errorCode);
    const { unreadable } = answer;
    if (unreadable !== null && unreadable.offset <= offset && offset < unreadable.nextOffset)
      throw new UnreadableRecords(topic, partition, offset, unreadable);
    const found = answer.messages.find((wire) => !wire.isControlRecord && Number(wire.offset) === offset);
    return found === undefined ? null : storedRecord(topic, partition, found);
  }

  return {
    /** The record at an offset, or null when it was deleted or never existed. Rejects with `LogUnavailable`. */
    read: (partition: TopicPartition, offset: number): Promise<StoredRecord | null> =>
      withRetries({ what: 'reading a record', timeoutMs, between: cluster.refresh }, () =>
        fetchOne(partition, offset),
      ),
  };
}
