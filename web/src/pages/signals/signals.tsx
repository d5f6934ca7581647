import { useMemo, useState } from 'react';
import { listSignals } from '#schemas/endpoints.ts';
import { SIGNAL_FILTERS, type SignalFilter } from '../../address/signal-filters.ts';
import { type ListAddress, useListAddress } from '../../address/use-list-address.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { NothingYet } from '../../ui/empty.tsx';
import { ListBody } from '../../ui/grid/list-body.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { UnknownFilters } from '../../ui/unknown-filters.tsx';
import { type ColumnId, keepColumns, readColumns } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { columnsOf } from './grid-columns.tsx';
import { Histogram } from './histogram.tsx';
import { ColumnChoice, ExportLinks, SavedViews } from './list-tools.tsx';
import { SignalSheet } from './sheet/signal-sheet.tsx';

function Head({ address, total }: { readonly address: ListAddress<SignalFilter>; readonly total: string }) {
  const { search, filters, period, setPeriod } = address;
  return (
    <header className="page-head">
      <h1>Signals</h1>
      <span role="status">{total}</span>
      <PeriodChoice period={period} byDefault={null} onChoose={setPeriod} />
      <SavedViews search={search.toString()} />
      <ExportLinks filters={filters} period={period} />
    </header>
  );
}

export function Page() {
  const address = useListAddress(SIGNAL_FILTERS);
  const { filters, period, open, isFiltered, unknown, set, setPeriod, clear } = address;
  const [columns, setColumns] = useState<readonly ColumnId[]>(() => readColumns(localStorage));
  const gridColumns = useMemo(() => columnsOf(columns), [columns]);
  const query = useList(listSignals, { query: { ...filters, rows: 'once' }, period, isLong: true });
  const { data } = query;
  const label = data === undefined ? '' : counted(data.total, 'signal');
  return (
    <>
      <Head address={address} total={label} />
      <FilterBar filters={filters} onFilter={set} />
      <UnknownFilters names={unknown} />
      <Histogram
        filters={filters}
        period={period}
        listedAt={query.dataUpdatedAt}
        onChoose={({ from = null, to = null }) => setPeriod({ range: null, from, to })}
      />
      <ListBody
        query={query}
        label={label}
        columns={gridColumns}
        open={open}
        onOpen={(id, how) => set('open', id, how)}
        isFiltered={isFiltered}
        onClear={clear}
        nothingYet={<NothingYet />}
        sheet={open !== null && <SignalSheet key={open} id={open} onClose={() => set('open', null)} />}
        beyond=", or export them,"
        tools={
          <ColumnChoice
            columns={columns}
            onChoose={(chosen) => {
              setColumns(chosen);
              keepColumns(localStorage, chosen);
            }}
          />
        }
      />
    </>
  );
}
