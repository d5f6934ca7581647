import { useCallback, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import type { listSignals } from '#schemas/api/signals.ts';
import { SIGNAL_FILTERS, type SignalFilter } from '../../address/signal-filters.ts';
import { type ListAddress, useListAddress } from '../../address/use-list-address.ts';
import { MAX_PAGES } from '../../api/next-page.ts';
import { usePages } from '../../api/use-pages.ts';
import { counted } from '../../format/numbers.ts';
import { NothingMatches, NothingYet } from '../../ui/empty.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Strangers } from '../../ui/grid/filters.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { type ColumnId, keepColumns, readColumns } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { Histogram } from './histogram.tsx';
import { ColumnChoice, ExportLinks, SavedViews } from './list-tools.tsx';
import { Sheet } from './sheet/sheet.tsx';
import { SignalGrid } from './signal-grid.tsx';

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
  const { filters, period, open, isFiltered, strangers, set, setPeriod, clear } = address;
  const [columns, setColumns] = useState<readonly ColumnId[]>(() => readColumns(localStorage));
  const query = usePages<typeof listSignals>('/dashboard/signals', filters, { period });
  const { data, error, fetchNextPage, isFetchingNextPage, hasNextPage, isFetching, refetch } = query;
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  const total = data?.pages[0]?.pagination.total;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  return (
    <>
      <Head address={address} total={total === undefined ? '' : counted(total, 'signal')} />
      <FilterBar filters={filters} onFilter={set} />
      <Strangers what="Signals" names={strangers} />
      <Histogram
        filters={filters}
        period={period}
        onChoose={(from, to) => setPeriod({ range: null, from, to })}
      />
      <div className="list-tools">
        <span className="muted">
          Keys: j and k move, Enter opens, Esc closes. The texts of prompts are stored with no signal.
        </span>
        <Button className="button" isDisabled={isFetching} onPress={() => void refetch()}>
          Renew
        </Button>
        <ColumnChoice
          columns={columns}
          onChoose={(chosen) => {
            setColumns(chosen);
            keepColumns(localStorage, chosen);
          }}
        />
      </div>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      <div className="beside" data-open={open !== null}>
        {total === 0 ? (
          isFiltered ? (
            <NothingMatches>
              <Button className="button" onPress={clear}>
                Clear the filters
              </Button>
            </NothingMatches>
          ) : (
            <NothingYet />
          )
        ) : (
          <SignalGrid
            rows={rows}
            total={total ?? 0}
            columns={columns}
            open={open}
            hasMore={hasNextPage}
            onMore={more}
            onOpen={(id, how) => set('open', id, how)}
          />
        )}
        {open !== null && <Sheet key={open} id={open} onClose={() => set('open', null)} />}
      </div>
      {data !== undefined && data.pages.length >= MAX_PAGES && (
        <p className="stale-note">
          The list ends here. Narrow the filters, or take the export, for the others.
        </p>
      )}
    </>
  );
}
