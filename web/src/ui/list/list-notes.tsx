import type { Fault } from '../../api/fault.ts';
import { FaultNote } from '../fault-note.tsx';
import { StaleNote } from '../stale-note.tsx';
import { UnknownFilters } from '../unknown-filters.tsx';

interface ListNotesProps {
  /** Names in the address that do nothing here. */
  readonly unknown: readonly string[];
  readonly error: Fault | null;
  /** Unix ms; 0: there is nothing yet. */
  readonly dataUpdatedAt: number;
  readonly onRenew: () => void;
}

/** What is wrong with a list: filters that it lacks, no answer, or an answer that is old. */
export function ListNotes({ unknown, error, dataUpdatedAt, onRenew }: ListNotesProps) {
  return (
    <>
      <UnknownFilters names={unknown} />
      {error !== null && dataUpdatedAt === 0 && <FaultNote fault={error} retry={onRenew} />}
      {error !== null && dataUpdatedAt > 0 && <StaleNote at={dataUpdatedAt} fault={error} retry={onRenew} />}
    </>
  );
}
