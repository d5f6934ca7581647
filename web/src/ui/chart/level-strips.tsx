import { useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import type { Timeseries } from '#schemas/api/dashboard.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import { type Counted, datesOfBars } from '../../address/counted.ts';
import { INTERVAL_SECONDS } from '../../address/period.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { fullTime } from '../../format/times.ts';
import { inSentence, label } from '../../labels/label.ts';
import { LEVELS_DOWN, Level } from '../level.tsx';
import { Bars } from './bars.tsx';
import { TimeTable } from './time-table.tsx';

interface LevelStripsProps {
  readonly series: Pick<Timeseries, 'data' | 'interval' | 'from' | 'to'>;
  /** Called when bars of one level are chosen. */
  readonly onChoose: (signals: Counted) => void;
}

const STRIP_PX = 44;

/**
 * Signals over time, one strip per level with its own scale: one CRITICAL among a hundred LOW would vanish in a stack.
 * The same numbers are available as a table.
 */
export function LevelStrips({ series, onChoose }: LevelStripsProps) {
  const [isTable, setIsTable] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const { data, interval } = series;
  const stepSeconds = INTERVAL_SECONDS[interval];
  const signalsOf = (riskLevel: RiskLevel, from: number, end: number): Counted => ({
    list: '/signals',
    filters: { riskLevel },
    dates: datesOfBars(from, end, series),
  });
  const times = useMemo(() => data.map(({ at }) => new Date(at).getTime() / 1_000), [data]);
  const countsOf = useMemo(
    () =>
      Object.fromEntries(
        LEVELS_DOWN.map((level) => [level, data.map(({ riskLevels }) => riskLevels[level])]),
      ) as Record<RiskLevel, number[]>,
    [data],
  );
  const shown = hovered === null ? undefined : data[hovered];
  return (
    <div className="strips">
      {isTable ? (
        <TimeTable
          label="Signals by risk level, as a table"
          columns={LEVELS_DOWN.map((level) => label('riskLevel', level))}
          rows={data.map(({ at, riskLevels }, index) => ({
            at,
            cells: LEVELS_DOWN.map((level) => ({
              count: riskLevels[level],
              counted: signalsOf(level, times[index]!, times[index]! + stepSeconds),
            })),
          }))}
        />
      ) : (
        LEVELS_DOWN.map((level, index) => (
          <div key={level} className="strip">
            <Level level={level} />
            <Bars
              times={times}
              counts={countsOf[level]}
              stepSeconds={stepSeconds}
              colour={`--level-${level.toLowerCase()}`}
              heightPx={STRIP_PX}
              label={`${label('riskLevel', level)} signals over time, ${counted(
                countsOf[level].reduce((sum, one) => sum + one, 0),
                'signal',
              )}`}
              syncName="levels"
              hasTimeAxis={index === LEVELS_DOWN.length - 1}
              onHover={setHovered}
              onChoose={(from, end) => onChoose(signalsOf(level, from, end))}
            />
          </div>
        ))
      )}
      <footer className="chart-foot">
        <span className="muted">
          {shown === undefined
            ? 'Click a bar to open its signals; drag to select a range. Times are in UTC.'
            : `${fullTime(shown.at)}: ${LEVELS_DOWN.map((level) => `${exactNumber(shown.riskLevels[level])} ${inSentence(label('riskLevel', level))}`).join(', ')}`}
        </span>
        <ToggleButton className="button" isSelected={isTable} onChange={setIsTable}>
          View as table
        </ToggleButton>
      </footer>
    </div>
  );
}
