import { useEffect, useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { getTimeseries } from '#schemas/endpoints.ts';
import { type Counted, type Dates, datesOfBars } from '../../address/counted.ts';
import { INTERVAL_SECONDS, type Period } from '../../address/period.ts';
import type { SignalFilters } from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { counted } from '../../format/numbers.ts';
import { Bars } from '../../ui/chart/bars.tsx';
import { TimeTable } from '../../ui/chart/time-table.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Fresh } from '../../ui/fresh.tsx';
import { StaleNote } from '../../ui/stale-note.tsx';

interface HistogramProps {
  readonly filters: SignalFilters;
  readonly period: Period;
  /** When the list was read, Unix ms; 0: not yet. */
  readonly listedAt: number;
  readonly onChoose: (dates: Dates) => void;
}

const HEIGHT_PX = 48;

/** When the list's signals arrived: as bars for choosing a period, or as a table. */
export function Histogram({ filters, period, listedAt, onChoose }: HistogramProps) {
  const [isTable, setIsTable] = useState(false);
  const { data, error, dataUpdatedAt, refetch } = useGet(getTimeseries, {
    query: { interval: 'auto', ...filters },
    period,
    isKept: true,
  });
  // Refetches with the list, which is refreshed by hand and whose number is shown above.
  useEffect(() => {
    if (listedAt > 0) void refetch();
  }, [listedAt, refetch]);
  const points = data?.data;
  const times = useMemo(() => (points ?? []).map(({ at }) => new Date(at).getTime() / 1_000), [points]);
  const counts = useMemo(() => (points ?? []).map(({ count }) => count), [points]);
  if (data === undefined)
    return (
      <div className="histogram">
        {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      </div>
    );
  const stepSeconds = INTERVAL_SECONDS[data.interval];
  const signalsOf = (at: number): Counted => ({
    list: '/signals',
    filters,
    dates: datesOfBars(at, at + stepSeconds, data),
  });
  const sum = counts.reduce((all, one) => all + one, 0);
  return (
    <div className="histogram">
      {error !== null && <StaleNote at={dataUpdatedAt} fault={error} retry={refetch} />}
      {isTable ? (
        <TimeTable
          label="Signals over time, as a table"
          columns={['Signals']}
          rows={data.data.map(({ at, count }, index) => ({
            at,
            cells: [{ count, counted: signalsOf(times[index]!) }],
          }))}
        />
      ) : (
        <Bars
          times={times}
          counts={counts}
          stepSeconds={stepSeconds}
          colour="--control"
          heightPx={HEIGHT_PX}
          label={`Signals over time, ${counted(sum, 'signal')}`}
          syncName="signals"
          hasTimeAxis
          onChoose={(from, end) => onChoose(datesOfBars(from, end, data))}
        />
      )}
      <footer className="chart-foot">
        <Fresh asOf={data.asOf} freshness={data.freshness} />
        <ToggleButton className="button" isSelected={isTable} onChange={setIsTable}>
          View as table
        </ToggleButton>
      </footer>
    </div>
  );
}
