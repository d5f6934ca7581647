import { PartitionFault } from '../event-log/partition-fault.ts';
import type { RecentCustomers } from './recent-customers.ts';

export interface DeadLetterLimits {
  /** Records looked back over, per partition. */
  readonly window: number;
  /** Dead letters among them that are still taken. */
  readonly maxInWindow: number;
  /** So many dead letters without a good record between them stop the partition. */
  readonly maxInARow: number;
  /** Dead letters of one customer that count, as long as records of another customer go well. */
  readonly maxPerCustomer: number;
}

export const DEAD_LETTER_LIMITS: DeadLetterLimits = {
  window: 500,
  maxInWindow: 100,
  maxInARow: 100,
  maxPerCustomer: 20,
};

/** So much would be dead-lettered that the fault is ours, not the records': the partition stops before it forwards them. */
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

/** What counts of a record; `customerId` null: nobody can tell whose it is. */
export interface CountedRecord {
  readonly customerId: string | null;
  readonly dead: boolean;
}

export interface DeadLetterGauge {
  /**
   * Takes the next records of the partition. Throws `TooManyDeadLetters` and has counted none of them then, so that the
   * same batch may be looked at again.
   */
  take(records: readonly CountedRecord[]): void;
}

/** What was looked at before the next record. */
interface Count {
  readonly last: readonly CountedRecord[];
  /** Dead letters since the last good record. */
  readonly row: readonly CountedRecord[];
}

/**
 * Counts the dead letters of one partition. Beyond a limit it stops, unless they are the fault of few customers' records:
 * of each customer only so many count, as long as records of a customer with fewer go well somewhere in this stream.
 * Without such a record nothing tells a customer's fault from ours.
 */
export function deadLetterGauge(
  topic: string,
  partition: number,
  limits: DeadLetterLimits = DEAD_LETTER_LIMITS,
  wentWell: Pick<RecentCustomers, 'anyBut'> = { anyBut: () => false },
): DeadLetterGauge {
  let count: Count = { last: [], row: [] };

  /** The number that counts of these dead letters, all of which are more than `limit` allows. */
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
      /** What is remembered has a bound; a longer row says no more. */
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
