import { useMemo } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { getStats, listAudits } from '#schemas/endpoints.ts';
import { AUDIT_STATUSES, RISK_LEVELS } from '#schemas/vocabulary.ts';
import { type ListAddress, useListAddress } from '../../address/use-list-address.ts';
import { useGet } from '../../api/use-get.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { AuditStatus } from '../../ui/audit/audit-status.tsx';
import { NothingYet } from '../../ui/empty.tsx';
import { type FilterChoice, Filters } from '../../ui/grid/filters.tsx';
import { ListBody } from '../../ui/grid/list-body.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { UnknownFilters } from '../../ui/unknown-filters.tsx';
import { AuditSheet } from './audit-sheet.tsx';
import { COLUMNS } from './columns.tsx';

const FILTERS = ['status', 'riskLevel', 'sandboxSlug', 'provider', 'model', 'erased'] as const;
type AuditFilter = (typeof FILTERS)[number];

/** Filters except the status, which has separate buttons; with the values known so far. */
function useChoices(): readonly FilterChoice[] {
  const { data } = useGet(getStats);
  return useMemo(() => {
    const models = data?.modelBreakdown ?? [];
    return [
      {
        name: 'sandboxSlug',
        label: 'Sandbox',
        suggestions: (data?.sandboxBreakdown ?? []).map(({ slug }) => slug),
      },
      { name: 'riskLevel', label: 'Risk level', values: RISK_LEVELS, kind: 'riskLevel' },
      { name: 'erased', label: 'Erased', values: ['true', 'false'] },
      {
        name: 'provider',
        label: 'Provider',
        suggestions: [...new Set(models.map(({ provider }) => provider))],
      },
      { name: 'model', label: 'Model', suggestions: [...new Set(models.map(({ model }) => model))] },
    ];
  }, [data]);
}

function StatusChoice({ filters, set }: Pick<ListAddress<AuditFilter>, 'filters' | 'set'>) {
  return (
    <ToggleButtonGroup
      aria-label="Status"
      className="segmented"
      selectionMode="single"
      selectedKeys={filters.status === undefined ? [] : [filters.status]}
      onSelectionChange={(keys) => set('status', AUDIT_STATUSES.find((one) => keys.has(one)) ?? null)}
    >
      {AUDIT_STATUSES.map((status) => (
        <ToggleButton key={status} id={status}>
          <AuditStatus status={status} />
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** Audits and the progress of their analysis. */
export function Page() {
  const address = useListAddress(FILTERS);
  const { filters, period, open, isFiltered, unknown, set, setPeriod, clear } = address;
  const query = useList(listAudits, { query: filters, period, isLong: true });
  const { data } = query;
  const choices = useChoices();
  const label = data === undefined ? '' : counted(data.total, 'audit');
  return (
    <>
      <header className="page-head">
        <h1>Audits</h1>
        <span role="status">{label}</span>
        <PeriodChoice period={period} byDefault={null} onChoose={setPeriod} />
      </header>
      <div className="filter-bar">
        <StatusChoice filters={filters} set={set} />
        <Filters choices={choices} filters={filters} onFilter={set} />
      </div>
      <UnknownFilters names={unknown} />
      <ListBody
        query={query}
        label={label}
        columns={COLUMNS}
        open={open}
        onOpen={(id, how) => set('open', id, how)}
        isFiltered={isFiltered}
        onClear={clear}
        nothingYet={<NothingYet />}
        sheet={open !== null && <AuditSheet key={open} id={open} onClose={() => set('open', null)} />}
      />
    </>
  );
}
