/**
 * Appends to a log as fast as possible until it is killed, for the crash tests. Argument: JSON of
 * `CrashAppenderOptions`. Prints the id of each record on a line once its append was acknowledged.
 */
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { TOPICS, type TopicDefinition } from '#schemas/topics.ts';
import type { KafkaAccess } from '../kafka/connection/connection.ts';
import { openKafkaLog } from '../kafka/event-log.ts';
import { openEmbeddedLog } from '../lmdb/event-log.ts';
import type { EventLog, LogRecord } from '../port.ts';

export interface CrashAppenderOptions {
  /** Folder of an embedded log, or brokers of a Kafka log. */
  readonly log: { readonly path: string } | KafkaAccess;
  readonly topics?: readonly TopicDefinition[];
  readonly topic: string;
  /** Prefix of the ids, to distinguish rounds. */
  readonly round: string;
}

const KEYS = 40;
const APPENDS_AT_ONCE = 32;
const STDOUT = 1;

/**
 * Keeps many appends of one to five records in flight and never resolves. Ids increase in the order of the calls, so
 * that the order within each partition can be checked afterwards.
 */
export async function appendForever(log: EventLog, topic: string, round: string): Promise<void> {
  let count = 0;
  async function worker(size: number): Promise<void> {
    for (;;) {
      const records: LogRecord[] = Array.from({ length: size }, () => {
        count += 1;
        const id = `${round}:${count}`;
        return {
          topic,
          key: `key-${count % KEYS}`,
          value: Buffer.from(id.padEnd(300, '.')),
          headers: { id },
        };
      });
      await log.append(records);
      writeSync(STDOUT, records.map((record) => `${record.headers.id}\n`).join(''));
    }
  }
  await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, (_, index) => worker(1 + (index % 5))));
}

function openLog({ log, topics = TOPICS }: CrashAppenderOptions): Promise<EventLog> {
  if ('path' in log) return openEmbeddedLog({ path: log.path, topics });
  return openKafkaLog({ ...log, clientId: 'crash-appender', topics });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdin.resume().on('end', () => process.exit(0));
  const options = JSON.parse(process.argv[2] ?? '{}') as CrashAppenderOptions;
  await appendForever(await openLog(options), options.topic, options.round);
}
