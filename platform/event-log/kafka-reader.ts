import type { KafkaCluster, TopicPartition } from './kafka-cluster.ts';
import { BrokerError, CODES } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import { storedRecord } from './kafka-records.ts';
import { withRetries } from './kafka-retry.ts';
import type { StoredRecord } from './port.ts';
import { UnreadableRecords } from './unreadable-records.ts';

const READ_UNCOMMITTED = 0;
/** The batch that holds the record comes whole, however large it is; and nothing after it. */
const ONE_BATCH = 1;

/** Reads single records, each with one request; nothing is joined and no group's offset is touched. */
export function createKafkaReader(options: {
  readonly cluster: KafkaCluster;
  readonly lane: Lane;
  readonly timeoutMs: number;
}) {
  const { cluster, lane, timeoutMs } = options;

  async function fetchOne(
    { topic, partition }: TopicPartition,
    offset: number,
  ): Promise<StoredRecord | null> {
    const { responses } = await lane.request(cluster.leader(topic, partition), 'Fetch', {
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
    /** The record at an offset, or null when it is gone or never was. Rejects with `LogUnavailable`. */
    read: (partition: TopicPartition, offset: number): Promise<StoredRecord | null> =>
      withRetries({ what: 'reading a record', timeoutMs, between: cluster.refresh }, () =>
        fetchOne(partition, offset),
      ),
  };
}
