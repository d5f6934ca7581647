import { partitionOf } from '#platform/event-log/murmur2.ts';
import {
  AppendError,
  type Appended,
  type AppendFailure,
  type EventLog,
  type LogRecord,
  PartitionStopped,
} from '#platform/event-log/port.ts';
import type { StoppedPartitions } from '#records/losses/watch-partitions.ts';
import { LEDGER } from '#schemas/topics.ts';

/**
 * The log for client input: refuses records that could not be processed now, because their partition, or that of their
 * customer's ledger, is stopped. The service's other appends record what was done, and are not refused.
 */
export function intakeLog<Log extends Pick<EventLog, 'append'>>(log: Log, stopped: StoppedPartitions): Log {
  const append = (records: readonly LogRecord[]): Promise<Appended[]> =>
    stopped.isEmpty() ? log.append(records) : appendUnlessStopped(log, stopped, records);
  return new Proxy(log, { get: (target, name) => (name === 'append' ? append : Reflect.get(target, name)) });
}

async function appendUnlessStopped(
  log: Pick<EventLog, 'append'>,
  stopped: StoppedPartitions,
  records: readonly LogRecord[],
): Promise<Appended[]> {
  const refusals = records.map((record) => refusalOf(record, stopped));
  const refused = refusals.find((refusal) => refusal !== null);
  if (refused === undefined) return log.append(records);
  const accepted = records.filter((_, index) => refusals[index] === null);
  const outcomes = accepted.length === 0 ? [] : await outcomesOf(log, accepted);
  let next = 0;
  throw new AppendError(
    'records of stopped partitions were not appended',
    refusals.map((refusal) => refusal ?? outcomes[next++]!),
    { cause: refused },
  );
}

async function outcomesOf(
  log: Pick<EventLog, 'append'>,
  records: readonly LogRecord[],
): Promise<readonly (Appended | AppendFailure)[]> {
  try {
    return await log.append(records);
  } catch (error) {
    if (!(error instanceof AppendError)) throw error;
    return error.outcomes;
  }
}

/** Triplets are spread by audit; their results go to the customer's ledger. */
function refusalOf({ topic, key, headers }: LogRecord, stopped: StoppedPartitions): PartitionStopped | null {
  const own = stopped.has(topic, key);
  const ledger = topic === LEDGER.name ? null : (headers.customerId ?? null);
  if (own) return stoppedAt(topic, key);
  return ledger !== null && stopped.has(LEDGER.name, ledger) ? stoppedAt(LEDGER.name, ledger) : null;
}

const stoppedAt = (topic: string, key: string): PartitionStopped =>
  new PartitionStopped(topic, partitionOf(key, LEDGER.partitions));
