import { fullTime, relativeTime } from '../format/times.ts';
import { useNow } from './use-now.ts';

/** A time in UTC; `withAge`: followed by how long ago it was. */
export function Time({ at, withAge = false }: { readonly at: string; readonly withAge?: boolean }) {
  return (
    <time dateTime={at} className="time">
      {fullTime(at)}
      {withAge && <Age at={at} />}
    </time>
  );
}

function Age({ at }: { readonly at: string }) {
  return <span className="muted"> ({relativeTime(at, useNow())})</span>;
}
