import { partitionOf } from '#platform/event-log/murmur2.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type Consumer,
  type ConsumerHandlers,
  type EventLog,
  type LogRecord,
  LogUnavailable,
  type Tail,
} from '#platform/event-log/port.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import type { Failures, Manner, Network, SimulatedProcess } from '../process.ts';
import type { Random } from '../random.ts';
import type { DurableLog } from './log.ts';

interface LogOfProcessOptions {
  readonly log: DurableLog;
  readonly network: Network;
  readonly process: SimulatedProcess;
  /** Decides which partitions a torn append reaches. */
  readonly random: Random;
}

const unavailable: Failures = {
  refused: () => new LogUnavailable('simulated'),
  uncertain: () => new LogUnavailable('simulated'),
};

/** The log as seen by one process. */
export function logOfProcess({ log, network, process, random }: LogOfProcessOptions): EventLog {
  const call = <Result>(what: string, effect: () => Promise<Result> | Result): Promise<Result> =>
    network.call(process, 'log', what, unavailable, effect);
  const consumers: Consumer[] = [];
  const tails: Tail[] = [];
  return {
    append: async (records) => {
      if (records.length === 0) return [];
      const failures: Failures = {
        refused: () => appendError(records.map(() => failure(true))),
        uncertain: () => appendError(records.map(() => failure(false))),
      };
      const what = `append ${countsOf(records)}`;
      const effect = (manner: Manner) => append(log, records, manner, random);
      return network.call(process, 'log', what, failures, effect, { repeats: true, tears: 'torn append' });
    },
    consume: async (options) => {
      const consumer = await log.reading.consume({
        ...options,
        handlers: guarded(process, options.handlers),
      });
      consumers.push(consumer);
      process.onSessionEnd(() => void consumer.stop());
      return {
        commit: (topic, partition, next) =>
          call(`commit ${topic}/${partition} ${next}`, () => consumer.commit(topic, partition, next)),
        pause: (topic, partition) => consumer.pause(topic, partition),
        resume: (topic, partition) => consumer.resume(topic, partition),
        seek: (topic, partition, offset) => consumer.seek(topic, partition, offset),
        get joined() {
          return consumer.joined;
        },
        stop: () => consumer.stop(),
      };
    },
    tail: async (options) => {
      const tail = await log.reading.tail(options);
      process.onSessionEnd(() => void tail.stop());
      tails.push(tail);
      return tail;
    },
    read: (topic, partition, offset) =>
      call(`read ${topic}/${partition}`, () => log.reading.read(topic, partition, offset)),
    readFrom: (topic, partition, offset) =>
      call(`read ${topic}/${partition} on`, () => log.reading.readFrom(topic, partition, offset)),
    bounds: (topic, partition) =>
      call(`bounds ${topic}/${partition}`, () => log.reading.bounds(topic, partition)),
    members: (group) => call('members', () => log.reading.members(group)),
    lag: (group, topics) => call('lag', () => log.reading.lag(group, topics)),
    ping: () => call('ping', () => undefined),
    close: async () => {
      await Promise.all([...consumers, ...tails].map((one) => one.stop()));
    },
  };
}

/**
 * Handlers of a process that may die. While its session lasts, the group waits for them; afterwards it continues
 * without them. A zombie does not learn what it has lost.
 */
function guarded(process: SimulatedProcess, handlers: ConsumerHandlers): ConsumerHandlers {
  const whileAlive = <Result>(work: () => Promise<Result> | Result): Promise<Result> =>
    Promise.race([
      process.life === 'running' ? Promise.resolve(work()) : process.sessionEnded,
      process.sessionEnded,
    ]);
  return {
    onAssigned: (assignment, lost) =>
      whileAlive(() => handlers.onAssigned?.(assignment, whileRunning(process, lost))),
    ...(handlers.onGap === undefined ? {} : { onGap: handlers.onGap }),
    onBatch: (batch, signal) => whileAlive(() => handlers.onBatch(batch, whileRunning(process, signal))),
    onRevoked: async (topic, partition) => {
      if (process.life !== 'running') return;
      await whileAlive(() => handlers.onRevoked?.(topic, partition)).catch((error: unknown) => {
        if (process.life === 'running') throw error;
      });
    },
    onStopped: (error) => {
      if (process.life === 'running') handlers.onStopped?.(error);
    },
  };
}

/** The signal as seen by the process: a zombie does not receive it. */
function whileRunning(process: SimulatedProcess, signal: AbortSignal): AbortSignal {
  const heard = new AbortController();
  signal.addEventListener('abort', () => {
    if (process.life === 'running') heard.abort(signal.reason);
  });
  return heard.signal;
}

const failure = (certain: boolean): AppendFailure => new AppendFailure('simulated', certain);
const appendError = (outcomes: readonly (Appended | AppendFailure)[]): AppendError =>
  new AppendError('not all records were appended', outcomes);

function append(log: DurableLog, records: readonly LogRecord[], manner: Manner, random: Random): Appended[] {
  if (manner !== 'torn') {
    const appended = records.map(log.store);
    if (manner === 'twice') for (const record of records) log.store(record);
    return appended;
  }
  // A request goes to several brokers, and each answers for its own partitions.
  const fates = new Map<string, 'stored' | 'refused' | 'unknown, stored' | 'unknown, lost'>();
  const outcomes = records.map((record): Appended | AppendFailure => {
    const partition = `${record.topic}/${partitionOf(record.key, PARTITIONS)}`;
    const fate =
      fates.get(partition) ?? random.pick(['stored', 'refused', 'unknown, stored', 'unknown, lost']);
    fates.set(partition, fate);
    const appended = fate === 'stored' || fate === 'unknown, stored' ? log.store(record) : null;
    return fate === 'stored' && appended !== null ? appended : failure(fate === 'refused');
  });
  if (outcomes.some((outcome) => outcome instanceof AppendFailure)) throw appendError(outcomes);
  return outcomes as Appended[];
}

function countsOf(records: readonly LogRecord[]): string {
  const counts = new Map<string, number>();
  for (const { topic } of records) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return [...counts].map(([topic, count]) => `${count} to ${topic}`).join(', ');
}
