import type { Assignment } from '../../platform/event-log/port.ts';
import type { UnitOutcome } from './flush.ts';

/** Contradictions of a piece that are logged one by one; all of them are stored. */
const LOGGED_CONTRADICTIONS = 20;

export interface ContradictionParts {
  readonly logger: { error(fields: object, message: string): void };
  /** Told after records were noted that repeat an entry with another content. */
  readonly onContradictions?: () => void;
}

/** Says what contradictions the pieces of an assignment held, in the order of their offsets. */
export type TellContradictions = (
  assignment: Assignment,
  contradictions: UnitOutcome['contradictions'],
) => void;

/**
 * Each is told once by whoever has the partition: one that is stopped behind them folds the same records again at every
 * look, twice a minute, until somebody mends it.
 */
export function contradictionsTold({ logger, onContradictions }: ContradictionParts): TellContradictions {
  const toldUpTo = new WeakMap<Assignment, number>();
  return (assignment, contradictions) => {
    const last = toldUpTo.get(assignment) ?? -1;
    const found = contradictions.filter(({ offset }) => offset > last);
    if (found.length === 0) return;
    toldUpTo.set(assignment, found.at(-1)!.offset);
    for (const { partition, offset, entryId } of found.slice(0, LOGGED_CONTRADICTIONS))
      logger.error(
        { partition, offset, entryId, found: found.length },
        'a ledger record repeats an entry with another content: a state older than the ledger was restored',
      );
    onContradictions?.();
  };
}
