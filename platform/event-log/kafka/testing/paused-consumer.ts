/**
 * Consumes one topic of a Kafka log, holds each batch for a while and commits it. The zombie test suspends and resumes
 * this process. Argument: JSON of `PausedConsumerOptions`. Prints `holding <partition>` for each batch and then
 * `committed <partition>` or `<error's name> <partition>`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer } from '../../port.ts';
import { type KafkaOptions, openKafkaLog } from '../event-log.ts';

export interface PausedConsumerOptions {
  readonly log: KafkaOptions;
  readonly group: string;
  readonly topic: string;
}

const HOLD_MS = 1_000;

process.stdin.resume().on('end', () => process.exit(0));
const { log: options, group, topic } = JSON.parse(process.argv[2] ?? '{}') as PausedConsumerOptions;
const log = await openKafkaLog(options);
const consumer: Promise<Consumer> = log.consume({
  group,
  topics: [topic],
  handlers: {
    async onBatch({ partition, nextOffset }) {
      process.stdout.write(`holding ${partition}\n`);
      await sleep(HOLD_MS);
      const outcome = await (await consumer).commit(topic, partition, nextOffset).then(
        () => 'committed',
        (error: Error) => error.name,
      );
      process.stdout.write(`${outcome} ${partition}\n`);
    },
  },
});
await consumer;
