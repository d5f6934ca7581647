import type { Assignment } from '#platform/event-log/port.ts';
import type { UnitOutcome } from './flush.ts';

/** Maximum number of contradictions of a chunk that are logged one by one; all of them are stored. */
const LOGGED_CONTRADICTIONS = 20;

export interface ContradictionDependencies {
  readonly logger: { error(fields: object, message: string): void };
  /** Called after records that repeat an entry with different content were stored. */
  readonly onContradictions?: () => void;
}

/** Logs the contradictions in an assignment's chunks, in the order of their offsets. */
export type TellContradictions = (
  assignment: Assignment,
  contradictions: UnitOutcome['contradictions'],
) => void;

/**
 * Each is logged once per owner: a partition that is stopped after them folds the same records again at every retry,
 * twice a minute, until somebody mends it.
 */
export function contradictionsTold({
  logger,
  onContradictions,
}: ContradictionDependencies): TellContradictions {
  const toldUpTo = new WeakMap<Assignment, number>();
  return (assignment, contradictions) => {
    const last = toldUpTo.get(assignment) ?? -1;
    const found = contradictions.filter(({ offset }) => offset > last);
    if (found.length === 0) return;
    toldUpTo.set(assignment, found.at(-1)!.offset);
    for (const { partition, offset, entryId } of found.slice(0, LOGGED_CONTRADICTIONS))
      logger.error(
        { partition, offset, entryId, found: found.length },
        'ledger record contradicts stored entry',
      );
    onContradictions?.();
  };
}
