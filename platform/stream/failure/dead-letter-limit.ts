import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import type { RecentCustomers } from './recent-customers.ts';

export interface DeadLetterLimits {
  /** Size of the sliding window, in records per partition. */
  readonly window: number;
  /** Maximum number of dead letters in the window. */
  readonly maxInWindow: number;
  /** This many consecutive dead letters, without a good record in between, stop the partition. */
  readonly maxInARow: number;
  /** Maximum number of dead letters counted per customer while records of another customer succeed. */
  readonly maxPerCustomer: number;
}

export const DEAD_LETTER_LIMITS: DeadLetterLimits = {
  window: 500,
  maxInWindow: 100,
  maxInARow: 100,
  maxPerCustomer: 20,
};

/**
 * There are so many dead letters that the fault must be ours, not the records': the partition stops before it forwards
 * them.
 */
export class TooManyDeadLetters extends PartitionFault {
  constructor(topic: string, partition: number, found: string) {
    super(
      'TOO_MANY_DEAD_LETTERS',
      'TOO_MANY_DEAD_LETTERS',
      { topic, partition, offset: null },
      `${topic}/${partition}: ${found} would be dead-lettered. The batch was not forwarded. Look for a ` +
        'wrong master key, state or schema and fix it; the partition checks again and resumes',
    );
    this.name = 'TooManyDeadLetters';
  }
}

/** What is counted per record; `customerId` null: its owner is unknown. */
export interface CountedRecord {
  readonly customerId: string | null;
  readonly dead: boolean;
}

interface DeadLetterGauge {
  /**
   * Counts the next records of the partition. Throws `TooManyDeadLetters` and then counts none of them, so that the
   * same batch may be retried.
   */
  take(records: readonly CountedRecord[]): void;
}

interface DeadLetter {
  readonly customerId: string | null;
  /** Number of the record in its partition, from 1. */
  readonly number: number;
}

/** The counts before the next record. Nearly all records are good, and only their number is kept. */
interface Count {
  readonly records: number;
  /** The dead letters in the window, in order. */
  readonly dead: readonly DeadLetter[];
  /** Dead letters since the last good record, at most a window: a longer run adds no information. */
  readonly row: number;
}

/**
 * Counts the dead letters of one partition. Stops the partition above a limit, unless a few customers' records are at
 * fault: at most `maxPerCustomer` count per customer while records of a customer below that succeed anywhere in this
 * stream. Without such a success, a customer's fault cannot be distinguished from ours.
 */
export function deadLetterGauge(
  topic: string,
  partition: number,
  limits: DeadLetterLimits = DEAD_LETTER_LIMITS,
  recentSuccesses: Pick<RecentCustomers, 'anyBut'> = { anyBut: () => false },
): DeadLetterGauge {
  let count: Count = { records: 0, dead: [], row: 0 };

  /** How many of these dead letters count. */
  const counted = (dead: readonly DeadLetter[]): number => {
    const perCustomer = new Map<string, number>();
    let ownerless = 0;
    for (const { customerId } of dead) {
      if (customerId === null) ownerless += 1;
      else perCustomer.set(customerId, (perCustomer.get(customerId) ?? 0) + 1);
    }
    const many = [...perCustomer].filter(([, number]) => number >= limits.maxPerCustomer);
    if (!recentSuccesses.anyBut(new Set(many.map(([customerId]) => customerId)))) return dead.length;
    const capped = [...perCustomer.values()].map((number) => Math.min(number, limits.maxPerCustomer));
    return capped.reduce((sum, number) => sum + number, ownerless);
  };

  /** The dead letters in the window that ends with record `last`. */
  const inWindow = (dead: readonly DeadLetter[], last: number): readonly DeadLetter[] =>
    dead.length === 0 || dead[0]!.number > last - limits.window
      ? dead
      : dead.filter(({ number }) => number > last - limits.window);

  /** The counts after these records. */
  const counting = (records: readonly CountedRecord[]): Count => {
    const dead = [...count.dead];
    let row = count.row;
    for (const [at, record] of records.entries()) {
      if (!record.dead) {
        row = 0;
        continue;
      }
      dead.push({ customerId: record.customerId, number: count.records + at + 1 });
      row = Math.min(row + 1, limits.window);
      if (row >= limits.maxInARow && counted(dead.slice(-row)) >= limits.maxInARow) {
        throw new TooManyDeadLetters(topic, partition, `${row} records in a row`);
      }
    }
    const after = count.records + records.length;
    return { records: after, dead: inWindow(dead, after), row };
  };

  return {
    take: (records) => {
      const next = counting(records);
      if (next.dead.length > limits.maxInWindow && counted(next.dead) > limits.maxInWindow) {
        const of = Math.min(next.records, limits.window);
        throw new TooManyDeadLetters(topic, partition, `${next.dead.length} of the last ${of} records`);
      }
      count = next;
    },
  };
}
