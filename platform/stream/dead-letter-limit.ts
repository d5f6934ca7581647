export interface DeadLetterLimits {
  /** Records looked back over, per partition. */
  readonly window: number;
  /** Dead letters among them that are still taken. */
  readonly maxInWindow: number;
  /** So many dead letters without a good record between them stop the stream. */
  readonly maxInARow: number;
}

export const DEAD_LETTER_LIMITS: DeadLetterLimits = { window: 500, maxInWindow: 100, maxInARow: 100 };

/** So much would be dead-lettered that the fault is ours, not the records': the stream stops before it forwards them. */
export class TooManyDeadLetters extends Error {
  constructor(topic: string, partition: number, found: string) {
    super(
      `${topic}/${partition}: ${found} would be dead-lettered. Nothing of this batch was forwarded. Look for a ` +
        'wrong master key, state or schema, mend it and start again',
    );
    this.name = 'TooManyDeadLetters';
  }
}

export interface DeadLetterGauge {
  /** Takes the next records of the partition: true for each that would be dead-lettered. Throws `TooManyDeadLetters`. */
  take(deadLettered: readonly boolean[]): void;
}

/** Counts the dead letters of one partition. */
export function deadLetterGauge(
  topic: string,
  partition: number,
  limits: DeadLetterLimits = DEAD_LETTER_LIMITS,
): DeadLetterGauge {
  const last: boolean[] = [];
  let count = 0;
  let inARow = 0;
  return {
    take: (deadLettered) => {
      for (const dead of deadLettered) {
        inARow = dead ? inARow + 1 : 0;
        if (inARow >= limits.maxInARow)
          throw new TooManyDeadLetters(topic, partition, `${inARow} records in a row`);
        last.push(dead);
        count += (dead ? 1 : 0) - (last.length > limits.window && last.shift() ? 1 : 0);
      }
      if (count > limits.maxInWindow) {
        throw new TooManyDeadLetters(topic, partition, `${count} of the last ${last.length} records`);
      }
    },
  };
}
