import { createClient } from '@clickhouse/client';
import { Kafka, logLevel } from 'kafkajs';

/**
 * The second half of the naive pipeline: parses each body and inserts it into ClickHouse. Batches of all partitions
 * share an insert, one a second as in the service's sink; offsets are committed after the insert. Arguments: brokers,
 * topic, group, ClickHouse address, table. Prints a line when it has joined its group.
 */
const [brokers = '', topic = '', groupId = '', clickhouse = '', table = ''] = process.argv.slice(2);
const INSERT_EVERY_MS = 1_000;
const PARTITIONS_AT_ONCE = 12;

interface Insert {
  readonly rows: unknown[];
  readonly stored: Promise<unknown>;
}

const warehouse = createClient({ url: clickhouse });
const consumer = new Kafka({
  clientId: 'naive',
  brokers: brokers.split(','),
  // Other levels would also report that a new cluster has no group coordinator yet.
  logLevel: logLevel.NOTHING,
}).consumer({ groupId });
let next: Insert | null = null;

function openInsert(): Insert {
  const rows: unknown[] = [];
  const due = new Promise((resolve) => setTimeout(resolve, INSERT_EVERY_MS));
  const stored = due.then(() => {
    next = null;
    return warehouse.insert({ table, values: rows, format: 'JSONEachRow' });
  });
  return { rows, stored };
}

function rowOf(value: Buffer | null, receivedAt: string): unknown {
  const body = JSON.parse(value?.toString('utf8') ?? '{}') as Record<string, unknown>;
  const { sandboxSlug, provider, model, prompt, response } = body;
  return { receivedAt: Number(receivedAt), sandboxSlug, provider, model, prompt, response };
}

consumer.on(consumer.events.GROUP_JOIN, () => process.stdout.write('joined\n'));
consumer.on(consumer.events.CRASH, ({ payload }) => {
  process.stderr.write(`naive consumer: ${payload.error.message}\n`);
});
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
  eachBatch: async ({ batch }) => {
    next ??= openInsert();
    next.rows.push(...batch.messages.map(({ value, timestamp }) => rowOf(value, timestamp)));
    await next.stored;
  },
});
process.on('disconnect', () => process.exit(0));
