import type { Signal } from '#schemas/api/signals.ts';
import { fullTime } from '../../format/times.ts';
import { violationsText } from '../../labels/label.ts';
import type { GridColumn } from '../../ui/grid/grid-row.tsx';
import { RowTime } from '../../ui/grid/row-time.tsx';
import { Level } from '../../ui/level.tsx';
import { COLUMNS, type ColumnId } from './columns.ts';

const violationsOf = ({ anonymized, violations }: Signal): string =>
  anonymized ? 'Anonymized' : violationsText(violations);

const ALWAYS_THERE: readonly GridColumn<Signal>[] = [
  {
    id: 'time',
    label: 'Time (UTC)',
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

/** The fixed columns and the chosen ones. */
export const columnsOf = (chosen: readonly ColumnId[]): readonly GridColumn<Signal>[] => [
  ...ALWAYS_THERE,
  ...COLUMNS.filter(({ id }) => chosen.includes(id)).map(({ id, label, width, textOf }) => ({
    id,
    label,
    width,
    isMore: true,
    titleOf: textOf,
    cellOf: textOf,
  })),
];
