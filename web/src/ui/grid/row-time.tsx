import { fullTime } from '../../format/times.ts';

/** In UTC, as the column header says; without year and seconds on phones. */
export function RowTime({ at }: { readonly at: string }) {
  const [, year, middle, seconds] =
    /^(\d{4}-)(\d{2}-\d{2} \d{2}:\d{2})(:\d{2}) UTC$/.exec(fullTime(at)) ?? [];
  if (middle === undefined) return fullTime(at);
  return (
    <time dateTime={at}>
      <span className="fine">{year}</span>
      {middle}
      <span className="fine">{seconds}</span>
    </time>
  );
}
