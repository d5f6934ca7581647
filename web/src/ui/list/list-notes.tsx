import type { Fault } from '../../api/fault.ts';
import { FaultNote } from '../fault-note.tsx';
import { StaleNote } from '../stale-note.tsx';
import { UnknownFilters } from '../unknown-filters.tsx';

interface ListNotesProps {
  /** Parameters in the address without effect here. */
  readonly unknown: readonly string[];
  readonly error: Fault | null;
  /** Unix ms; 0: no data yet. */
  readonly dataUpdatedAt: number;
  readonly onRefresh: () => void;
}

/** Problems of a list: unknown filters, no response, or an outdated one. */
export function ListNotes({ unknown, error, dataUpdatedAt, onRefresh }: ListNotesProps) {
  return (
    <>
      <UnknownFilters names={unknown} />
      {error !== null && dataUpdatedAt === 0 && <FaultNote fault={error} retry={onRefresh} />}
      {error !== null && dataUpdatedAt > 0 && (
        <StaleNote at={dataUpdatedAt} fault={error} retry={onRefresh} />
      )}
    </>
  );
}
