import { type ComponentProps, useMemo } from 'react';
import type { Signal } from '#schemas/api/signals.ts';
import { counted } from '../../format/numbers.ts';
import { fullTime } from '../../format/times.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import type { GridColumn } from '../../ui/grid/grid-row.tsx';
import { RowTime } from '../../ui/grid/row-time.tsx';
import { Level } from '../../ui/level.tsx';
import { COLUMNS, type ColumnId } from './columns.ts';

interface SignalGridProps extends Omit<ComponentProps<typeof Grid<Signal>>, 'columns' | 'label'> {
  readonly columns: readonly ColumnId[];
}

const violationsOf = ({ anonymized, violations }: Signal): string =>
  anonymized ? 'anonymized' : violations.join(', ') || 'none';

const ALWAYS_THERE: readonly GridColumn<Signal>[] = [
  {
    id: 'time',
    label: 'Time, UTC',
    width: '160px',
    titleOf: ({ createdAt }) => fullTime(createdAt),
    cellOf: ({ createdAt }) => <RowTime at={createdAt} />,
  },
  {
    id: 'level',
    label: 'Risk level',
    width: '104px',
    cellOf: ({ riskLevel }) => <Level level={riskLevel} />,
  },
  {
    id: 'violations',
    label: 'Violations',
    width: 'minmax(120px, 2fr)',
    titleOf: violationsOf,
    cellOf: violationsOf,
  },
];

export function SignalGrid({ columns, ...rest }: SignalGridProps) {
  const shown = useMemo(() => {
    const chosen = COLUMNS.filter(({ id }) => columns.includes(id)).map(({ id, label, width, textOf }) => ({
      id,
      label,
      width,
      isMore: true,
      titleOf: textOf,
      cellOf: textOf,
    }));
    return [...ALWAYS_THERE, ...chosen];
  }, [columns]);
  return <Grid {...rest} columns={shown} label={counted(rest.total, 'signal')} />;
}
