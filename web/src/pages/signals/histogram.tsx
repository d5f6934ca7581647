import { useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import type { getTimeseries } from '#schemas/api/dashboard.ts';
import { intervalOf, type Period } from '../../address/period.ts';
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
  readonly onChoose: (from: string, to: string) => void;
}

const HEIGHT_PX = 48;

/** When the list's signals came: as bars of which a period is chosen, or as a table. */
export function Histogram({ filters, period, onChoose }: HistogramProps) {
  const [isTable, setIsTable] = useState(false);
  const { interval, lengthMs } = intervalOf(period, Date.now());
  const { data, error, dataUpdatedAt, refetch } = useGet<typeof getTimeseries>(
    '/dashboard/timeseries',
    { interval, ...filters },
    { period },
  );
  const points = data?.data;
  const times = useMemo(() => (points ?? []).map(({ at }) => new Date(at).getTime() / 1_000), [points]);
  const counts = useMemo(() => (points ?? []).map(({ count }) => count), [points]);
  if (data === undefined)
    return (
      <div className="histogram">
        {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      </div>
    );
  const sum = counts.reduce((all, one) => all + one, 0);
  return (
    <div className="histogram">
      {error !== null && <StaleNote at={dataUpdatedAt} fault={error} retry={refetch} />}
      {isTable ? (
        <TimeTable
          label="Signals over time, as a table"
          columns={['Signals']}
          rows={data.data.map(({ at, count }) => ({ at, counts: [count] }))}
        />
      ) : (
        <Bars
          times={times}
          counts={counts}
          stepSeconds={lengthMs / 1_000}
          colour="--control"
          heightPx={HEIGHT_PX}
          label={`Signals over time, ${counted(sum, 'signal')}`}
          syncName="signals"
          hasTimeAxis
          onChoose={(from, to) =>
            onChoose(new Date(from * 1_000).toISOString(), new Date(to * 1_000 - 1).toISOString())
          }
        />
      )}
      <footer className="chart-foot">
        <Fresh asOf={data.asOf} freshness={data.freshness} />
        <ToggleButton className="button" isSelected={isTable} onChange={setIsTable}>
          As table
        </ToggleButton>
      </footer>
    </div>
  );
}
