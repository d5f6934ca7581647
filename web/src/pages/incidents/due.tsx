import { fullTime, relativeTime } from '../../format/times.ts';
import { useNow } from '../../ui/use-now.ts';
import type { Deadline } from './deadline.ts';

const WORDS = { tell: 'tell others by', due: 'due' } as const;

/** A date that has to be kept, and whether it has passed: by word, not by colour alone. */
export function Due({ at, kind }: Deadline) {
  const now = useNow();
  const isPast = new Date(at).getTime() < now;
  return (
    <span className={isPast ? 'overdue' : 'muted'}>
      {isPast && 'overdue: '}
      {WORDS[kind]}{' '}
      <time dateTime={at} className="time">
        {fullTime(at)}
      </time>{' '}
      ({relativeTime(at, now)})
    </span>
  );
}
