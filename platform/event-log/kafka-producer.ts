import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaCluster, KafkaLogger } from './kafka-cluster.ts';
import { messageOf } from './kafka-connection.ts';
import { BrokerError, CODES, describeCode, isPassing, mayPass, Unreachable } from './kafka-errors.ts';
import type { Lane } from './kafka-lane.ts';
import { byTopic, groupBy, type ProducedPartition } from './kafka-requests.ts';
import { retryPauseMs } from './kafka-retry.ts';
import { partitionOf } from './murmur2.ts';
import { type Appended, AppendFailure, type LogRecord } from './port.ts';

export interface KafkaProducerOptions {
  readonly cluster: KafkaCluster;
  readonly lane: Lane;
  readonly partitions: (topic: string) => number;
  /** How long one write is repeated, ms. */
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly logger: KafkaLogger;
}

/** One identity towards the brokers: they refuse to store a sequence number of it twice. */
interface Producer {
  readonly id: string;
  readonly epoch: number;
  /** Next sequence number by `topic/partition`. */
  readonly sequences: Map<string, number>;
}

/** What one write holds for one partition: stored whole or not at all. */
interface PartitionBatch {
  readonly name: string;
  readonly topic: string;
  readonly partition: number;
  readonly records: LogRecord[];
  /** Places of the records in the write. */
  readonly places: number[];
  sent: { readonly producer: Producer; readonly sequence: number } | null;
  /** True when an attempt ended without an answer, or with one that does not say whether it was stored. */
  uncertain: boolean;
  /** Why it is not stored yet. */
  obstacle: string;
  result: { readonly baseOffset: number; readonly timestamp: number } | AppendFailure | null;
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

/**
 * Writes one micro-batch at a time with an idempotent producer. A batch is repeated under the same sequence numbers
 * until a broker answers or the time is up, so however often it is sent it is stored once. When its fate stays
 * unknown its records fail with `certain: false`, and the next write begins with a new producer, because the old
 * one's sequence is unknown from there on.
 */
export function createKafkaProducer(options: KafkaProducerOptions) {
  const { cluster, lane, partitions, timeoutMs, requestTimeoutMs, logger } = options;
  let current: Producer | null = null;

  async function producer(): Promise<Producer> {
    if (current !== null) return current;
    const answer = await lane.request(cluster.anyNode(), 'InitProducerId', {});
    const { errorCode, producerId, producerEpoch } = answer;
    if (errorCode !== CODES.NONE) throw new BrokerError('a new producer', errorCode);
    current = { id: producerId, epoch: producerEpoch, sequences: new Map() };
    return current;
  }

  /** Gives each batch its sequence numbers, for good: a repeat must carry the same ones. */
  async function number(batches: readonly PartitionBatch[]): Promise<void> {
    for (const batch of batches) {
      if (batch.sent !== null) continue;
      const by = await producer();
      batch.sent = { producer: by, sequence: by.sequences.get(batch.name) ?? 0 };
    }
  }

  async function send(
    node: number,
    by: Producer,
    batches: readonly PartitionBatch[],
    at: number,
  ): Promise<void> {
    let answers: Map<string, ProducedPartition>;
    try {
      const { topics } = await lane.request(node, 'Produce', {
        acks: ALL_IN_SYNC,
        timeout: requestTimeoutMs,
        producerId: by.id,
        producerEpoch: by.epoch,
        topicData: byTopic(batches, ({ partition, records, sent }) => ({
          partition,
          firstSequence: sent!.sequence,
          messages: records.map(({ key, value, headers }) => ({ key, value, headers, timestamp: at })),
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
    for (const batch of batches) take(batch, answers.get(batch.name), at);
  }

  function take(batch: PartitionBatch, answer: ProducedPartition | undefined, at: number): void {
    const { producer: by, sequence } = batch.sent!;
    const code = answer?.errorCode ?? CODES.REQUEST_TIMED_OUT;
    batch.obstacle = describeCode(code);
    if (answer !== undefined && code === CODES.NONE) {
      by.sequences.set(batch.name, (sequence + batch.records.length) % (MAX_SEQUENCE + 1));
      const stamped = Number(answer.logAppendTime);
      batch.result = { baseOffset: Number(answer.baseOffset), timestamp: stamped < 0 ? at : stamped };
      return;
    }
    if (UNCLEAR_CODES.has(code)) {
      batch.uncertain = true;
    } else if (PRODUCER_CODES.has(code)) {
      // The brokers lost track of this producer. Only a batch that was certainly refused may go under a new one.
      if (current === by) current = null;
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

  async function attempt(batches: readonly PartitionBatch[], at: number): Promise<void> {
    const note = (error: unknown, affected: readonly PartitionBatch[]): void => {
      if (!mayPass(error)) logger.error(`an append failed: ${messageOf(error)}`);
      for (const batch of affected) batch.obstacle = messageOf(error);
    };
    try {
      await number(batches);
      const leaders = groupBy(batches, ({ topic, partition }) => cluster.leader(topic, partition));
      await Promise.all(
        [...leaders].flatMap(([node, led]) =>
          [...groupBy(led, ({ sent }) => sent!.producer)].map(([by, each]) =>
            send(node, by, each, at).catch((error: unknown) => note(error, each)),
          ),
        ),
      );
    } catch (error) {
      note(error, batches);
    }
  }

  async function write(records: readonly LogRecord[]): Promise<(Appended | AppendFailure)[]> {
    const batches = batchesOf(records, partitions);
    const at = Date.now();
    const deadline = performance.now() + timeoutMs;
    for (let failures = 0; cluster.replaced === null; failures += 1) {
      await attempt(open(batches), at);
      const pauseMs = retryPauseMs(failures);
      if (open(batches).length === 0 || performance.now() + pauseMs > deadline) break;
      await sleep(pauseMs);
      await cluster.refresh().catch(() => undefined);
    }
    for (const batch of open(batches)) {
      if (cluster.replaced !== null) batch.obstacle = cluster.replaced.message;
      batch.result = failureOf(batch);
    }
    if (batches.some(({ uncertain, result }) => uncertain && result instanceof AppendFailure)) current = null;
    return outcomesOf(batches, records.length);
  }

  return { write };
}

const open = (batches: readonly PartitionBatch[]): PartitionBatch[] =>
  batches.filter(({ result }) => result === null);

function batchesOf(records: readonly LogRecord[], partitions: (topic: string) => number): PartitionBatch[] {
  const batches = new Map<string, PartitionBatch>();
  for (const [place, record] of records.entries()) {
    const { topic } = record;
    const partition = partitionOf(record.key, partitions(topic));
    const name = `${topic}/${partition}`;
    let batch = batches.get(name);
    if (batch === undefined) {
      batch = {
        name,
        topic,
        partition,
        records: [],
        places: [],
        sent: null,
        uncertain: false,
        obstacle: '',
        result: null,
      };
      batches.set(name, batch);
    }
    batch.records.push(record);
    batch.places.push(place);
  }
  return [...batches.values()];
}

function outcomesOf(batches: readonly PartitionBatch[], count: number): (Appended | AppendFailure)[] {
  const outcomes = new Array<Appended | AppendFailure>(count);
  for (const { partition, places, result } of batches) {
    for (const [index, place] of places.entries()) {
      if (result === null || result instanceof AppendFailure) outcomes[place] = result!;
      else outcomes[place] = { partition, offset: result.baseOffset + index, timestamp: result.timestamp };
    }
  }
  return outcomes;
}

const failureOf = ({ topic, uncertain, obstacle }: PartitionBatch): AppendFailure =>
  new AppendFailure(
    uncertain
      ? `a record for ${topic} may or may not be stored: ${obstacle}`
      : `a record for ${topic} was not stored: ${obstacle}`,
    !uncertain,
  );
