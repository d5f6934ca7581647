import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import type { RecentCustomers } from './recent-customers.ts';

export interface DeadLetterLimits {
  /** Size of the sliding window, in records per partition. */
  readonly window: number;
  /** Dead letters allowed among them. */
  readonly maxInWindow: number;
  /** This many dead letters in a row, without a good record in between, stop the partition. */
  readonly maxInARow: number;
  /** Maximum of dead letters counted per customer, as long as records of another customer succeed. */
  readonly maxPerCustomer: number;
}

export const DEAD_LETTER_LIMITS: DeadLetterLimits = {
  window: 500,
  maxInWindow: 100,
  maxInARow: 100,
  maxPerCustomer: 20,
};

/** So many dead letters that the fault must be ours, not the records': the partition stops before it forwards them. */
export class TooManyDeadLetters extends PartitionFault {
  constructor(topic: string, partition: number, found: string) {
    super(
      'TOO_MANY_DEAD_LETTERS',
      'TOO_MANY_DEAD_LETTERS',
      { topic, partition, offset: null },
      `${topic}/${partition}: ${found} would be dead-lettered. Nothing of this batch was forwarded. Look for a ` +
        'wrong master key, state or schema and mend it; the partition looks again by itself and then goes on',
    );
    this.name = 'TooManyDeadLetters';
  }
}

/** What is counted of a record; `customerId` null: its owner is unknown. */
export interface CountedRecord {
  readonly customerId: string | null;
  readonly dead: boolean;
}

interface DeadLetterGauge {
  /**
   * Counts the next records of the partition. Throws `TooManyDeadLetters` without counting any of them, so that the
   * same batch may be retried.
   */
  take(records: readonly CountedRecord[]): void;
}

/** The counts before the next record. */
interface Count {
  readonly last: readonly CountedRecord[];
  /** Dead letters since the last good record. */
  readonly row: readonly CountedRecord[];
}

/**
 * Counts the dead letters of one partition. Stops the partition above a limit, unless they are the fault of a few
 * customers' records: only `maxPerCustomer` count per customer, as long as records of a customer with fewer succeed
 * somewhere in this stream. Without such a record a customer's fault cannot be told from ours.
 */
export function deadLetterGauge(
  topic: string,
  partition: number,
  limits: DeadLetterLimits = DEAD_LETTER_LIMITS,
  wentWell: Pick<RecentCustomers, 'anyBut'> = { anyBut: () => false },
): DeadLetterGauge {
  let count: Count = { last: [], row: [] };

  /** The number of these dead letters that counts; in total they exceed `limit`. */
  const counted = (dead: readonly CountedRecord[]): number => {
    const perCustomer = new Map<string, number>();
    let ownerless = 0;
    for (const { customerId } of dead) {
      if (customerId === null) ownerless += 1;
      else perCustomer.set(customerId, (perCustomer.get(customerId) ?? 0) + 1);
    }
    const many = [...perCustomer].filter(([, number]) => number >= limits.maxPerCustomer);
    if (!wentWell.anyBut(new Set(many.map(([customerId]) => customerId)))) return dead.length;
    const capped = [...perCustomer.values()].map((number) => Math.min(number, limits.maxPerCustomer));
    return capped.reduce((sum, number) => sum + number, ownerless);
  };

  return {
    take: (records) => {
      const last = [...count.last];
      let row = [...count.row];
      /** Memory is bounded; a longer row adds no information. */
      const keep = (kept: CountedRecord[], record: CountedRecord): void => {
        kept.push(record);
        if (kept.length > limits.window) kept.shift();
      };
      for (const record of records) {
        keep(last, record);
        if (record.dead) keep(row, record);
        else row = [];
        if (row.length >= limits.maxInARow && counted(row) >= limits.maxInARow) {
          throw new TooManyDeadLetters(topic, partition, `${row.length} records in a row`);
        }
      }
      const dead = last.filter((record) => record.dead);
      if (dead.length > limits.maxInWindow && counted(dead) > limits.maxInWindow) {
        throw new TooManyDeadLetters(topic, partition, `${dead.length} of the last ${last.length} records`);
      }
      count = { last, row };
    },
  };
}
