import { Button } from 'react-aria-components';
import type { Fault } from '../../api/fault.ts';
import { clockTime } from '../../format/times.ts';
import { FaultNote } from '../fault-note.tsx';

interface ListNotesProps {
  /** What the list holds, as `Incidents`. */
  readonly what: string;
  /** Names in the address that do nothing here. */
  readonly unknown: readonly string[];
  readonly error: Fault | null;
  /** Unix ms; 0: there is nothing yet. */
  readonly dataUpdatedAt: number;
  readonly onRenew: () => void;
}

/** What is wrong with a list: filters that it lacks, no answer, or an answer that is old. */
export function ListNotes({ what, unknown, error, dataUpdatedAt, onRenew }: ListNotesProps) {
  return (
    <>
      {unknown.length > 0 && (
        <p className="stale-note" role="status">
          {what} cannot be filtered by {unknown.join(', ')}, so that part of the address does nothing here.
        </p>
      )}
      {error !== null && dataUpdatedAt === 0 && <FaultNote fault={error} retry={onRenew} />}
      {error !== null && dataUpdatedAt > 0 && (
        <p className="stale-note" role="status">
          Not renewed since {clockTime(new Date(dataUpdatedAt).toISOString())}: {error.message}
          {error.requestId !== null && (
            <>
              {' '}
              Request <code>{error.requestId}</code>
            </>
          )}{' '}
          <Button className="link-button" onPress={onRenew}>
            Try again
          </Button>
        </p>
      )}
    </>
  );
}
