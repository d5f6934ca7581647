import { Button } from 'react-aria-components';
import type { Fault } from '../api/fault.ts';

interface FaultNoteProps {
  readonly fault: Fault;
  readonly retry?: () => void;
}

/** What went wrong, in the service's words, and the id that identifies it in the service's log. */
export function FaultNote({ fault, retry }: FaultNoteProps) {
  return (
    <div className="fault" role="alert">
      <p>{fault.message}</p>
      {fault.details.length > 1 && (
        <ul>
          {fault.details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
      {fault.requestId !== null && (
        <p className="muted">
          Request ID <code>{fault.requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <Button className="button" onPress={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
