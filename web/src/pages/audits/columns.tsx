import type { ListedAudit } from '#schemas/api/audits.ts';
import { fullTime, span } from '../../format/times.ts';
import { label } from '../../labels/label.ts';
import { AuditStatus } from '../../ui/audit/audit-status.tsx';
import type { GridColumn } from '../../ui/grid/grid-row.tsx';
import { RowTime } from '../../ui/grid/row-time.tsx';
import { Level } from '../../ui/level.tsx';

const resultOf = ({
  riskLevel,
  failureCode,
  erased,
}: Pick<ListedAudit, 'riskLevel' | 'failureCode' | 'erased'>): string => {
  if (erased) return 'Erased';
  if (riskLevel !== undefined) return label('riskLevel', riskLevel);
  return failureCode === undefined ? '' : label('failure', failureCode);
};

export const COLUMNS: readonly GridColumn<ListedAudit>[] = [
  {
    id: 'time',
    label: 'Accepted (UTC)',
    width: '160px',
    titleOf: ({ createdAt }) => fullTime(createdAt),
    cellOf: ({ createdAt }) => <RowTime at={createdAt} />,
  },
  {
    id: 'status',
    label: 'Status',
    width: '116px',
    cellOf: ({ status }) => <AuditStatus status={status} />,
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    width: 'minmax(120px, 2fr)',
    titleOf: ({ sandboxSlug }) => sandboxSlug,
    cellOf: ({ sandboxSlug }) => sandboxSlug,
  },
  {
    id: 'outcome',
    label: 'Result',
    width: 'minmax(0, 1fr)',
    isMore: true,
    titleOf: resultOf,
    cellOf: ({ riskLevel, failureCode, erased }) =>
      erased || riskLevel === undefined ? (
        resultOf({ riskLevel, failureCode, erased })
      ) : (
        <Level level={riskLevel} />
      ),
  },
  {
    id: 'attempts',
    label: 'Attempts',
    width: '72px',
    isMore: true,
    cellOf: ({ attempts }) => String(attempts),
  },
  {
    id: 'took',
    label: 'Duration',
    width: '72px',
    isMore: true,
    cellOf: ({ durationMs }) => (durationMs === undefined ? '' : span(durationMs)),
  },
  {
    id: 'model',
    label: 'Model',
    width: 'minmax(0, 1fr)',
    isMore: true,
    titleOf: ({ provider, model }) => `${model ?? ''} (${provider ?? ''})`,
    cellOf: ({ model }) => model ?? '',
  },
];
