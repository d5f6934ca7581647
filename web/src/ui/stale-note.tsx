import { Button } from 'react-aria-components';
import type { Fault } from '../api/fault.ts';
import { clockTime } from '../format/times.ts';

interface StaleNoteProps {
  /** Time of the shown data, Unix ms. */
  readonly at: number;
  readonly fault: Fault;
  readonly retry: () => unknown;
}

/** Keeps the old numbers, and says that they are old. */
export function StaleNote({ at, fault, retry }: StaleNoteProps) {
  return (
    <p className="stale-note" role="status">
      Couldn’t refresh since {clockTime(new Date(at).toISOString())}: {fault.message}
      {fault.requestId !== null && (
        <>
          {' '}
          Request ID <code>{fault.requestId}</code>
        </>
      )}{' '}
      <Button className="link-button" onPress={() => void retry()}>
        Try again
      </Button>
    </p>
  );
}
