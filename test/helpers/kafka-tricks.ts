import { type Consumer, Kafka, logLevel, type Message } from 'kafkajs';
import '#platform/event-log/kafka/protocol/wire.ts';
import { MAX_RECORD_BYTES, TOPICS } from '#schemas/topics.ts';

const GROUP_MEMBER_TIMEOUT_MS = 60_000;
/** Size limit of a request: a topic's limit for a request equals that for a single record, and headers are added. */
const BYTES_AT_ONCE = MAX_RECORD_BYTES / 4;
const RECORDS_AT_ONCE = 100;

const connect = (brokers: string): Kafka =>
  new Kafka({ clientId: 'failure-tests', brokers: brokers.split(','), logLevel: logLevel.NOTHING });

/** All messages of topics, by topic and partition. */
async function readAll(
  kafka: Kafka,
  topics: readonly string[],
): Promise<Map<string, Map<number, Message[]>>> {
  const admin = kafka.admin();
  await admin.connect();
  const open = new Map<string, number>();
  for (const topic of topics) {
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) open.set(`${topic}/${partition}`, Number(high));
  }
  await admin.disconnect();
  const found = new Map<string, Map<number, Message[]>>();
  const consumer: Consumer = kafka.consumer({ groupId: `reader-${process.hrtime.bigint()}` });
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('the topics were not read')), GROUP_MEMBER_TIMEOUT_MS);
    if (open.size === 0) resolve();
    void consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, partition, message }) => {
        const name = `${topic}/${partition}`;
        const end = open.get(name);
        if (end === undefined) return;
        const partitions = found.get(topic) ?? new Map<number, Message[]>();
        found.set(topic, partitions);
        const messages = partitions.get(partition) ?? [];
        partitions.set(partition, messages);
        const { key, value, headers } = message;
        messages.push({ key, value, partition, ...(headers === undefined ? {} : { headers }) });
        if (Number(message.offset) + 1 >= end) open.delete(name);
        if (open.size > 0) return;
        clearTimeout(limit);
        resolve();
      },
    });
  });
  await consumer.disconnect();
  return found;
}

/** Splits messages into requests in order; a record above the size limit gets its own request. */
function inRequests(messages: readonly Message[]): Message[][] {
  const requests: Message[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    bytes += message.value?.length ?? 0;
    const last = requests.at(-1);
    if (last !== undefined && bytes <= BYTES_AT_ONCE && last.length < RECORDS_AT_ONCE) last.push(message);
    else {
      requests.push([message]);
      bytes = message.value?.length ?? 0;
    }
  }
  return requests;
}

/**
 * Appends every record of the topics again, in its partition and in order, like a log that delivers twice. Resolves to
 * their number.
 */
export async function deliverAllAgain(brokers: string): Promise<number> {
  const kafka = connect(brokers);
  const topics = TOPICS.map(({ name }) => name);
  const all = await readAll(kafka, topics);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  let count = 0;
  for (const [topic, partitions] of all) {
    for (const messages of partitions.values()) {
      for (const some of inRequests(messages)) await producer.send({ topic, acks: -1, messages: some });
      count += messages.length;
    }
  }
  await producer.disconnect();
  return count;
}

/** Deletes a topic and everything in it. */
export async function deleteTopic(brokers: string, topic: string): Promise<void> {
  const admin = connect(brokers).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
}

/** Resets a group to the earliest record of a topic; the group must have no member. */
export async function rewindGroup(
  brokers: string,
  groupId: string,
  topics: readonly string[],
): Promise<void> {
  const admin = connect(brokers).admin();
  await admin.connect();
  for (const topic of topics) {
    const earliest = (await admin.fetchTopicOffsets(topic)).map(({ partition, low }) => ({
      partition,
      offset: low,
    }));
    await admin.setOffsets({ groupId, topic, partitions: earliest });
  }
  await admin.disconnect();
}

/** Number of records of the topics that the group has not committed yet, over all partitions. */
export async function lagOf(brokers: string, groupId: string, topics: readonly string[]): Promise<number> {
  const admin = connect(brokers).admin();
  await admin.connect();
  let lag = 0;
  for (const { topic, partitions } of await admin.fetchOffsets({ groupId, topics: [...topics] })) {
    const committed = new Map(partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
      lag += Number(high) - Math.max(Number(low), committed.get(partition) ?? 0);
  }
  await admin.disconnect();
  return lag;
}
