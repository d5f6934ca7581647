import type { KafkaCluster } from './kafka-cluster.ts';
import { BrokerError, CODES, describeCode, isPassing, Unreachable } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import {
  failureOf,
  type PartitionBatch,
  type PartitionQueue,
  type Producer,
} from './kafka-partition-queue.ts';
import { byTopic, type ProducedPartition } from './kafka-requests.ts';

export interface ProduceOptions {
  readonly cluster: Pick<KafkaCluster, 'anyNode'>;
  readonly lane: Lane;
  readonly requestTimeoutMs: number;
}

const ALL_IN_SYNC = -1;
const MAX_SEQUENCE = 0x7fff_ffff;
const PRODUCER_CODES: ReadonlySet<number> = new Set([
  CODES.OUT_OF_ORDER_SEQUENCE,
  CODES.INVALID_PRODUCER_EPOCH,
  CODES.UNKNOWN_PRODUCER_ID,
]);
/** The broker may have stored the batch and could not say so. */
const UNCLEAR_CODES: ReadonlySet<number> = new Set([
  CODES.REQUEST_TIMED_OUT,
  CODES.NETWORK_EXCEPTION,
  CODES.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
  -1,
]);

/** Identities towards the brokers, and the request that stores batches under them. */
export function createProduce({ cluster, lane, requestTimeoutMs }: ProduceOptions) {
  let current: Producer | null = null;
  let renewing: Promise<Producer> | null = null;

  async function renew(): Promise<Producer> {
    const answer = await lane.request(cluster.anyNode(), 'InitProducerId', {});
    const { errorCode, producerId, producerEpoch } = answer;
    if (errorCode !== CODES.NONE) throw new BrokerError('a new producer', errorCode);
    current = { id: producerId, epoch: producerEpoch, sequences: new Map() };
    return current;
  }

  /** The newest producer; a new one when there is none that the partition may go on with. */
  function producerFor({ spoiled }: PartitionQueue): Promise<Producer> | Producer {
    if (current !== null && current !== spoiled) return current;
    renewing ??= renew().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  /** Gives a batch its sequence numbers, for good. A partition has one batch under way, so the next one is free. */
  function number({ queue, sent }: PartitionBatch, by: Producer, at: number): PartitionBatch['sent'] {
    return sent ?? { producer: by, sequence: by.sequences.get(queue.name) ?? 0, at };
  }

  /** Sends the batches to the broker that leads them and notes what became of each. */
  async function produce(node: number, by: Producer, batches: readonly PartitionBatch[]): Promise<void> {
    const at = Date.now();
    if (batches.some(({ entries }) => entries.length === 0))
      throw new Error('a batch without records was about to be sent: its sequence numbers would be none');
    for (const batch of batches) batch.sent = number(batch, by, at);
    let answers: Map<string, ProducedPartition>;
    try {
      const { topics } = await lane.request(node, 'Produce', {
        acks: ALL_IN_SYNC,
        timeout: requestTimeoutMs,
        producerId: by.id,
        producerEpoch: by.epoch,
        topicData: byTopic(batches, ({ queue: { partition }, entries, sent }) => ({
          partition,
          firstSequence: sent!.sequence,
          messages: entries.map(({ record: { key, value, headers } }) => ({
            key,
            value,
            headers,
            timestamp: sent!.at,
          })),
        })),
      });
      answers = new Map(
        topics.flatMap(({ topicName, partitions: each }) =>
          each.map((answer) => [`${topicName}/${answer.partition}`, answer] as const),
        ),
      );
    } catch (error) {
      if (!(error instanceof Unreachable)) for (const batch of batches) batch.uncertain = true;
      throw error;
    }
    for (const batch of batches) take(batch, answers.get(batch.queue.name));
  }

  function take(batch: PartitionBatch, answer: ProducedPartition | undefined): void {
    const { queue, entries } = batch;
    const { producer: by, sequence, at } = batch.sent!;
    const code = answer?.errorCode ?? CODES.REQUEST_TIMED_OUT;
    batch.obstacle = describeCode(code);
    if (answer !== undefined && code === CODES.NONE) {
      by.sequences.set(queue.name, (sequence + entries.length) % (MAX_SEQUENCE + 1));
      const stamped = Number(answer.logAppendTime);
      batch.result = { baseOffset: Number(answer.baseOffset), timestamp: stamped < 0 ? at : stamped };
      return;
    }
    if (UNCLEAR_CODES.has(code)) {
      batch.uncertain = true;
    } else if (PRODUCER_CODES.has(code)) {
      // The broker lost track of this producer. Only a batch that was certainly refused may go under a new one.
      queue.spoiled = by;
      if (batch.uncertain) batch.result = failureOf(batch);
      else batch.sent = null;
    } else if (code === CODES.DUPLICATE_SEQUENCE) {
      // Stored before, at an offset that the broker no longer knows.
      batch.uncertain = true;
      batch.result = failureOf(batch);
    } else if (!isPassing(code)) {
      batch.result = failureOf(batch);
    }
  }

  return { produce, producerFor };
}
