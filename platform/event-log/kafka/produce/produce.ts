import { singleFlight } from '#platform/flow/single-flight.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { BrokerError, CODES, describeCode, isPassing, Unreachable } from '../protocol/errors.ts';
import { byTopic, type ProducedPartition } from '../protocol/requests.ts';
import { failureOf, type PartitionBatch, type PartitionQueue, type Producer } from './partition-queue.ts';

interface ProduceOptions {
  readonly cluster: Pick<KafkaCluster, 'anyNode'>;
  readonly pool: ConnectionPool;
  readonly requestTimeoutMs: number;
}

const ALL_IN_SYNC = -1;
const MAX_SEQUENCE = 0x7fff_ffff;
const PRODUCER_CODES: ReadonlySet<number> = new Set([
  CODES.OUT_OF_ORDER_SEQUENCE,
  CODES.INVALID_PRODUCER_EPOCH,
  CODES.UNKNOWN_PRODUCER_ID,
]);
/** The broker may have stored the batch but could not confirm it. */
const UNCLEAR_CODES: ReadonlySet<number> = new Set([
  CODES.REQUEST_TIMED_OUT,
  CODES.NETWORK_EXCEPTION,
  CODES.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
  -1,
]);

/** Producer identities, and the request that stores batches under them. */
export class Produce {
  readonly #options: ProduceOptions;
  #current: Producer | null = null;

  readonly #renew = singleFlight(async (): Promise<Producer> => {
    const { cluster, pool } = this.#options;
    const answer = await pool.request(cluster.anyNode(), 'InitProducerId', {});
    const { errorCode, producerId, producerEpoch } = answer;
    if (errorCode !== CODES.NONE) throw new BrokerError('a new producer', errorCode);
    this.#current = { id: producerId, epoch: producerEpoch, sequences: new Map() };
    return this.#current;
  });

  constructor(options: ProduceOptions) {
    this.#options = options;
  }

  /** The newest producer, or a new one when the partition may not use it. */
  producerFor({ spoiled }: PartitionQueue): Promise<Producer> | Producer {
    return this.#current !== null && this.#current !== spoiled ? this.#current : this.#renew();
  }

  /** Sends the batches to the broker that leads them and records the outcome of each. */
  async send(node: number, by: Producer, batches: readonly PartitionBatch[]): Promise<void> {
    const at = Date.now();
    if (batches.some(({ entries }) => entries.length === 0))
      throw new Error('a batch to send has no records');
    for (const batch of batches) batch.sent ??= numbered(batch, by, at);
    let answers: Map<string, ProducedPartition>;
    try {
      answers = await this.#request(node, by, batches);
    } catch (error) {
      if (!(error instanceof Unreachable)) for (const batch of batches) batch.uncertain = true;
      throw error;
    }
    for (const batch of batches) takeAnswer(batch, answers.get(batch.queue.name));
  }

  async #request(
    node: number,
    by: Producer,
    batches: readonly PartitionBatch[],
  ): Promise<Map<string, ProducedPartition>> {
    const { pool, requestTimeoutMs } = this.#options;
    const { topics } = await pool.request(node, 'Produce', {
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
    return new Map(
      topics.flatMap(({ topicName, partitions: each }) =>
        each.map((answer) => [`${topicName}/${answer.partition}`, answer] as const),
      ),
    );
  }
}

/** Assigns sequence numbers to a batch, once. A partition has one batch in flight, so the next number is free. */
const numbered = ({ queue }: PartitionBatch, producer: Producer, at: number): PartitionBatch['sent'] => ({
  producer,
  sequence: producer.sequences.get(queue.name) ?? 0,
  at,
});

function takeAnswer(batch: PartitionBatch, answer: ProducedPartition | undefined): void {
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
    // The broker lost track of this producer. Only a batch that was definitely refused may be sent under a new one.
    queue.spoiled = by;
    if (batch.uncertain) batch.result = failureOf(batch);
    else batch.sent = null;
  } else if (code === CODES.DUPLICATE_SEQUENCE) {
    // Already stored, at an offset that the broker no longer knows.
    batch.uncertain = true;
    batch.result = failureOf(batch);
  } else if (!isPassing(code)) {
    batch.result = failureOf(batch);
  }
}
