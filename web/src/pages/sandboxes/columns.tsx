import type { Sandbox } from '#schemas/api/sandboxes.ts';
import { fullTime } from '../../format/times.ts';
import { label } from '../../labels/label.ts';
import type { GridColumn } from '../../ui/grid/grid-row.tsx';
import { RowTime } from '../../ui/grid/row-time.tsx';

const stateOf = ({ active, deletedAt }: Sandbox): string =>
  deletedAt !== undefined ? 'Deleted' : active ? 'Active' : 'Inactive';

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
    label: 'Updated (UTC)',
    width: '160px',
    titleOf: ({ updatedAt }) => fullTime(updatedAt),
    cellOf: ({ updatedAt }) => <RowTime at={updatedAt} />,
  },
  text('state', 'State', '80px', stateOf),
  text('name', 'Name', 'minmax(120px, 1fr)', ({ name }) => name),
  text('slug', 'Slug', 'minmax(0, 1fr)', ({ slug }) => slug, true),
  text(
    'type',
    'Detection profile',
    'minmax(0, 144px)',
    ({ sandboxType }) => label('detectionProfile', sandboxType),
    true,
  ),
  text(
    'guardian',
    'Guardrail',
    'minmax(0, 144px)',
    ({ guardianAction }) => label('guardrail', guardianAction),
    true,
  ),
  text('alert', 'Alert threshold', '112px', ({ alertThreshold }) => label('riskLevel', alertThreshold), true),
  text('version', 'Version', '64px', ({ version }) => String(version), true),
];
