import type { Assignment } from '#platform/event-log/port.ts';
import type { UnitOutcome } from './flush.ts';

/** Maximum number of a chunk's contradictions that are logged individually; all of them are stored. */
const LOGGED_CONTRADICTIONS = 20;

export interface ContradictionDependencies {
  readonly logger: { error(fields: object, message: string): void };
  /** Called once records that repeat an entry with different content are stored. */
  readonly onContradictions?: () => void;
}

/** Logs the contradictions in an assignment's chunks, in offset order. */
export type LogContradictions = (
  assignment: Assignment,
  contradictions: UnitOutcome['contradictions'],
) => void;

/**
 * Logs each contradiction once per owner: a stopped partition folds the same records again at every retry, twice a
 * minute, until an operator fixes it.
 */
export function contradictionLogger({
  logger,
  onContradictions,
}: ContradictionDependencies): LogContradictions {
  const loggedUpTo = new WeakMap<Assignment, number>();
  return (assignment, contradictions) => {
    const last = loggedUpTo.get(assignment) ?? -1;
    const found = contradictions.filter(({ offset }) => offset > last);
    if (found.length === 0) return;
    loggedUpTo.set(assignment, found.at(-1)!.offset);
    for (const { partition, offset, entryId } of found.slice(0, LOGGED_CONTRADICTIONS))
      logger.error(
        { partition, offset, entryId, found: found.length },
        'ledger record contradicts stored entry',
      );
    onContradictions?.();
  };
}
