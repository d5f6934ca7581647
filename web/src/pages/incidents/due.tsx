import { duration, fullTime, relativeTime } from '../../format/times.ts';
import { useNow } from '../../ui/use-now.ts';
import type { Deadline } from './deadline.ts';

const UPCOMING = { tell: 'Notify by', due: 'Due' } as const;
const OVERDUE = { tell: 'Notification overdue by', due: 'Overdue by' } as const;

/** A deadline, and whether it has passed: in words, not by colour alone. */
export function Due({ at, kind }: Deadline) {
  const now = useNow();
  const isPast = new Date(at).getTime() < now;
  if (isPast)
    return (
      <span className="overdue">
        {OVERDUE[kind]}{' '}
        <time dateTime={at} title={`Due ${fullTime(at)}`}>
          {duration((now - new Date(at).getTime()) / 1_000)}
        </time>
      </span>
    );
  return (
    <span className="muted">
      {UPCOMING[kind]}{' '}
      <time dateTime={at} className="time">
        {fullTime(at)}
      </time>{' '}
      ({relativeTime(at, now)})
    </span>
  );
}
