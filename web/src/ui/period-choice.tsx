import { Button } from 'react-aria-components';
import { type Period, RANGE_NAMES, RANGES } from '../address/period.ts';
import { fullTime } from '../format/times.ts';

interface PeriodChoiceProps {
  readonly period: Period;
  /** Null: all time can be chosen too. */
  readonly byDefault: Period['range'];
  readonly onRange: (range: string | null) => void;
}

/** The period of a page: a range that moves with the clock, or from and to, which are shown and can be let go. */
export function PeriodChoice({ period, byDefault, onRange }: PeriodChoiceProps) {
  const { range, from, to } = period;
  const isFixed = range === null && (from !== undefined || to !== undefined);
  if (isFixed)
    return (
      <span className="chip">
        {from === undefined ? 'from the beginning' : fullTime(from)} to{' '}
        {to === undefined ? 'now' : fullTime(to)}
        <Button className="chip-close" aria-label="Let go of the period" onPress={() => onRange(null)}>
          ×
        </Button>
      </span>
    );
  return (
    <label className="inline-field">
      <span>Period</span>
      <select value={range ?? ''} onChange={(event) => onRange(event.target.value || null)}>
        {byDefault === null && <option value="">All time</option>}
        {RANGE_NAMES.map((name) => (
          <option key={name} value={name}>
            {RANGES[name].name}
          </option>
        ))}
      </select>
    </label>
  );
}
