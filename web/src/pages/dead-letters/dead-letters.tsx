import { useMemo } from 'react';
import type { DeadLetter } from '#schemas/api/dead-letters.ts';
import { listDeadLetterReasons, listDeadLetters } from '#schemas/endpoints.ts';
import { FAILURE_CODES } from '#schemas/vocabulary.ts';
import { useListAddress } from '../../address/use-list-address.ts';
import { useGet } from '../../api/use-get.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { fullTime } from '../../format/times.ts';
import { label as labelOf } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Filters } from '../../ui/grid/filters.tsx';
import type { GridColumn } from '../../ui/grid/grid-row.tsx';
import { ListBody } from '../../ui/grid/list-body.tsx';
import { RowTime } from '../../ui/grid/row-time.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { UnknownFilters } from '../../ui/unknown-filters.tsx';
import { DeadLetterSheet } from './dead-letter-sheet.tsx';
import { ReasonCards } from './reason-cards.tsx';
import { byReason } from './reasons.ts';
import { ReplayPanel } from './replay-panel.tsx';

const FILTERS = ['reason', 'sandboxSlug'] as const;

const COLUMNS: readonly GridColumn<DeadLetter>[] = [
  {
    id: 'time',
    label: 'Failed (UTC)',
    width: '160px',
    titleOf: ({ at }) => fullTime(at),
    cellOf: ({ at }) => <RowTime at={at} />,
  },
  { id: 'attempts', label: 'Attempts', width: '96px', cellOf: ({ attempts }) => String(attempts) },
  {
    id: 'reason',
    label: 'Reason',
    width: 'minmax(152px, 1fr)',
    titleOf: ({ reason }) => labelOf('failure', reason),
    cellOf: ({ reason }) => labelOf('failure', reason),
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    width: 'minmax(120px, 1fr)',
    isMore: true,
    titleOf: ({ sandboxSlug }) => sandboxSlug,
    cellOf: ({ sandboxSlug }) => sandboxSlug,
  },
  {
    id: 'audit',
    label: 'Audit ID',
    width: 'minmax(0, 2fr)',
    isMore: true,
    titleOf: ({ auditId }) => auditId,
    cellOf: ({ auditId }) => <code>{auditId}</code>,
  },
];

/** Audits that failed: why, and how to replay them. */
export function Page() {
  const address = useListAddress(FILTERS);
  const { filters, period, open, isFiltered, unknown, set, setPeriod, clear } = address;
  const query = useList(listDeadLetters, { query: filters, period, isLong: true });
  // For any reason: the cards choose the reason.
  const { sandboxSlug } = filters;
  const reasons = useGet(listDeadLetterReasons, { query: { sandboxSlug }, period });
  const cards = useMemo(() => byReason(reasons.data?.data ?? []), [reasons.data]);
  const { data } = query;
  const label = data === undefined ? '' : counted(data.total, 'failed audit');
  const { range, from, to } = period;
  const replayed = JSON.stringify([filters, range ?? [from, to]]);
  const what =
    isFiltered && (filters.reason ?? sandboxSlug ?? from ?? to) ? 'filtered audits' : 'all failed audits';
  const slugs = [...new Set(cards.flatMap(({ sandboxes }) => sandboxes.map(({ slug }) => slug)))];
  return (
    <>
      <header className="page-head">
        <h1>Failed audits</h1>
        <span role="status">{label}</span>
        <PeriodChoice period={period} byDefault={null} onChoose={setPeriod} />
      </header>
      {reasons.error !== null && <FaultNote fault={reasons.error} retry={() => void reasons.refetch()} />}
      <ReasonCards reasons={cards} chosen={filters.reason} onChoose={(reason) => set('reason', reason)} />
      <div className="filter-bar">
        <Filters
          choices={[
            { name: 'reason', label: 'Reason', values: FAILURE_CODES, kind: 'failure' },
            { name: 'sandboxSlug', label: 'Sandbox', suggestions: slugs },
          ]}
          filters={filters}
          onFilter={set}
        />
      </div>
      <UnknownFilters names={unknown} />
      {/* A number confirmed for other filters does not count. */}
      <ReplayPanel key={replayed} filters={filters} period={period} what={what} />
      <ListBody
        query={query}
        label={label}
        columns={COLUMNS}
        open={open}
        onOpen={(id, how) => set('open', id, how)}
        isFiltered={isFiltered}
        onClear={clear}
        nothingYet={
          <p className="empty">
            No failed audits. Audits whose analysis fails appear here, ready to be replayed.
          </p>
        }
        sheet={open !== null && <DeadLetterSheet key={open} id={open} onClose={() => set('open', null)} />}
      />
    </>
  );
}
