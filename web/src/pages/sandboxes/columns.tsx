import type { Sandbox } from '#schemas/api/sandboxes.ts';
import { fullTime } from '../../format/times.ts';
import type { GridColumn } from '../../ui/grid/grid-row.tsx';
import { RowTime } from '../../ui/grid/row-time.tsx';

const stateOf = ({ active, deletedAt }: Sandbox): string =>
  deletedAt !== undefined ? 'deleted' : active ? 'active' : 'inactive';

const text = (
  id: string,
  label: string,
  width: string,
  textOf: (row: Sandbox) => string,
  isMore = false,
): GridColumn<Sandbox> => ({ id, label, width, isMore, titleOf: textOf, cellOf: textOf });

export const COLUMNS: readonly GridColumn<Sandbox>[] = [
  {
    id: 'time',
    label: 'Changed, UTC',
    width: '160px',
    titleOf: ({ updatedAt }) => fullTime(updatedAt),
    cellOf: ({ updatedAt }) => <RowTime at={updatedAt} />,
  },
  text('state', 'State', '80px', stateOf),
  text('name', 'Name', 'minmax(120px, 2fr)', ({ name }) => name),
  text('slug', 'Slug', 'minmax(0, 1fr)', ({ slug }) => slug, true),
  text('type', 'Looks for', 'minmax(0, 1fr)', ({ sandboxType }) => sandboxType, true),
  text('guardian', 'Guardian', 'minmax(0, 1fr)', ({ guardianAction }) => guardianAction, true),
  text('alert', 'Alerts from', '88px', ({ alertThreshold }) => alertThreshold, true),
  text('version', 'Version', '64px', ({ version }) => String(version), true),
];
