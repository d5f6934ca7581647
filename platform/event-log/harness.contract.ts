import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';
import type { TopicDefinition } from '#schemas/topics.ts';
import type { Batch, Consumer, ConsumerHandlers, EventLog, LogRecord, StoredRecord } from './port.ts';
import type { CrashAppenderOptions } from './testing/crash-appender.ts';

/** A process that appends until it is killed (see `crash-appender.ts`). */
export interface SpawnedAppender {
  /** Ids whose append was acknowledged so far, in order of acknowledgement. */
  readonly acknowledged: readonly string[];
  /** Sends SIGKILL; resolves when the process has exited and all its output is read. */
  kill(): Promise<void>;
}

export interface OpenLimits {
  readonly maxWaitingBytes?: number;
  readonly revocationTimeoutMs?: number;
}

/** What an adapter provides to one test of the contract. Names are unique to the test. */
export interface ContractEnvironment {
  /** Two empty topics of `PARTITIONS` partitions each. */
  readonly topics: readonly [TopicDefinition, TopicDefinition];
  /** Opens the log; after a close, reopens it with the same data. */
  open(limits?: OpenLimits): Promise<EventLog>;
  spawnAppender(topic: string, round: string): Promise<SpawnedAppender>;
  /** Kills processes that are still running, closes open logs, removes the data. */
  end(): Promise<void>;
}

/** Runs `crash-appender.ts` as a separate process. */
export function spawnCrashAppender(options: CrashAppenderOptions): SpawnedAppender {
  const child = spawn(
    process.execPath,
    [compiledModule('platform/event-log/testing/crash-appender.ts'), JSON.stringify(options)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const acknowledged: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    acknowledged.push(...lines);
  });
  const closed = once(child, 'close');
  return {
    acknowledged,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Long enough for a rebalance on a real broker; conditions are polled, so fast adapters do not wait. */
export const DEADLINE_MS = 30_000;
const POLL_MS = 5;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the condition holds; rejects with its name when it does not hold in time. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${DEADLINE_MS} ms: ${what}`);
    await pause(POLL_MS);
  }
}

export const record = (topic: string, key: string, text: string): LogRecord => ({
  topic,
  key,
  value: Buffer.from(text),
  headers: { id: text },
});

/** `count` records spread over many keys, so that every partition gets some. */
export const manyRecords = (topic: string, count: number, prefix = 'r'): LogRecord[] =>
  Array.from({ length: count }, (_, index) => record(topic, `key-${index % 97}`, `${prefix}${index}`));

export const textOf = (stored: { readonly value: Buffer }): string => stored.value.toString();

export interface Reader {
  readonly consumer: Consumer;
  readonly batches: Batch[];
  readonly records: StoredRecord[];
  readonly errors: Error[];
  /** `topic/partition` of each partition that it owns now. */
  readonly owned: Set<string>;
}

export interface ReaderOptions extends Partial<ConsumerHandlers> {
  readonly maxRecords?: number;
  /** Commits each batch after `onBatch` (default true). */
  readonly commits?: boolean;
}

/** Starts a consumer that keeps the records it gets. */
export async function startReader(
  log: EventLog,
  group: string,
  topics: readonly string[],
  options: ReaderOptions = {},
): Promise<Reader> {
  const batches: Batch[] = [];
  const records: StoredRecord[] = [];
  const errors: Error[] = [];
  const owned = new Set<string>();
  let started: (consumer: Consumer) => void = () => undefined;
  const whenStarted = new Promise<Consumer>((resolve) => {
    started = resolve;
  });
  const consumer = await log.consume({
    group,
    topics,
    ...(options.maxRecords === undefined ? {} : { maxRecords: options.maxRecords }),
    handlers: {
      async onAssigned(assignment, signal) {
        owned.add(`${assignment.topic}/${assignment.partition}`);
        return options.onAssigned?.(assignment, signal);
      },
      ...(options.onGap === undefined ? {} : { onGap: options.onGap }),
      async onBatch(batch, signal) {
        const own = await whenStarted;
        await options.onBatch?.(batch, signal);
        if (signal.aborted) return;
        batches.push(batch);
        records.push(...batch.records);
        if (options.commits !== false) await own.commit(batch.topic, batch.partition, batch.nextOffset);
      },
      async onRevoked(topic, partition) {
        owned.delete(`${topic}/${partition}`);
        await options.onRevoked?.(topic, partition);
      },
      onStopped(error) {
        errors.push(error);
        options.onStopped?.(error);
      },
    },
  });
  started(consumer);
  return { consumer, batches, records, errors, owned };
}
