import { Button } from 'react-aria-components';
import { type Period, RANGE_NAMES, RANGES } from '../address/period.ts';
import { fullTime } from '../format/times.ts';

/** The period's parameters in an address; null: absent. */
type PeriodInAddress = Readonly<Record<'range' | 'from' | 'to', string | null>>;

const NONE: PeriodInAddress = { range: null, from: null, to: null };

interface PeriodChoiceProps {
  readonly period: Period;
  /** Null: "all time" can be chosen too. */
  readonly byDefault: Period['range'];
  readonly onChoose: (period: PeriodInAddress) => void;
}

/** The period of a page: a range that moves with the clock, or from and to, which are shown and can be removed. */
export function PeriodChoice({ period, byDefault, onChoose }: PeriodChoiceProps) {
  const { range, from, to } = period;
  if (range === null && (from !== undefined || to !== undefined))
    return (
      <span className="chip">
        {from === undefined ? 'Start' : fullTime(from)} to {to === undefined ? 'now' : fullTime(to)}
        <Button className="chip-close" aria-label="Clear range" onPress={() => onChoose(NONE)}>
          ×
        </Button>
      </span>
    );
  return (
    <>
      <label className="inline-field">
        <span>Time range</span>
        <select
          value={range ?? ''}
          onChange={({ target }) => onChoose({ ...NONE, range: target.value || null })}
        >
          {byDefault === null && <option value="">All time</option>}
          {RANGE_NAMES.map((name) => (
            <option key={name} value={name}>
              {RANGES[name].name}
            </option>
          ))}
        </select>
      </label>
      <FromAndTo onChoose={onChoose} />
    </>
  );
}

/** The value of a local time field, read as UTC: `2026-11-22T14:03`. */
const asUtc = (value: FormDataEntryValue | null): string | null =>
  typeof value === 'string' && value !== '' ? `${value}Z` : null;

function FromAndTo({ onChoose }: Pick<PeriodChoiceProps, 'onChoose'>) {
  return (
    <details className="tool">
      <summary className="button">Custom range…</summary>
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          const sent = new FormData(event.currentTarget);
          onChoose({ range: null, from: asUtc(sent.get('from')), to: asUtc(sent.get('to')) });
        }}
      >
        <label className="field">
          From (UTC)
          <input type="datetime-local" name="from" />
        </label>
        <label className="field">
          To (UTC)
          <input type="datetime-local" name="to" />
        </label>
        <Button type="submit" className="button">
          Apply
        </Button>
      </form>
    </details>
  );
}
