import { useCallback, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { useSearchParams } from 'wouter';
import { periodIn } from '../../address/period.ts';
import { filtersIn, unknownFilters, withFilter } from '../../address/signal-filters.ts';
import { counted } from '../../format/numbers.ts';
import { NothingMatches, NothingYet } from '../../ui/empty.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { PeriodChoice, type PeriodInAddress } from '../../ui/period-choice.tsx';
import { type ColumnId, keepColumns, readColumns } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { Histogram } from './histogram.tsx';
import { ColumnChoice, ExportLinks, SavedViews } from './list-tools.tsx';
import { MAX_PAGES } from './next-page.ts';
import { Sheet } from './sheet/sheet.tsx';
import { SignalGrid } from './signal-grid.tsx';
import { useSignals } from './use-signals.ts';

/** The page's state is its address: what is shown, and which sheet is open. */
function useAddress() {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  return useMemo(() => {
    const params = new URLSearchParams(text);
    return {
      search: params,
      filters: filtersIn(params),
      period: periodIn(params, Date.now(), null),
      open: params.get('open'),
      set: (name: string, value: string | null, how: 'push' | 'replace' = 'push') =>
        setSearch((former) => withFilter(former, name, value), { replace: how === 'replace' }),
      setPeriod: (dates: PeriodInAddress) =>
        setSearch((former) => {
          let changed = former;
          for (const [name, value] of Object.entries(dates)) changed = withFilter(changed, name, value);
          return changed;
        }),
      clear: () => setSearch({}),
    };
  }, [text, setSearch]);
}

function Head({
  address,
  total,
}: {
  readonly address: ReturnType<typeof useAddress>;
  readonly total: string;
}) {
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

function UnknownFilters({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="stale-note" role="status">
      Signals cannot be filtered by {names.join(', ')}, so that part of the address does nothing here.
    </p>
  );
}

export function Page() {
  const address = useAddress();
  const { search, filters, period, open, set, setPeriod, clear } = address;
  const [columns, setColumns] = useState<readonly ColumnId[]>(() => readColumns(localStorage));
  const query = useSignals(filters, period);
  const { data, error, fetchNextPage, isFetchingNextPage, hasNextPage, isFetching, refetch } = query;
  const rows = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  const total = data?.pages[0]?.pagination.total;
  const isFiltered = search.size > (open === null ? 0 : 1);
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  return (
    <>
      <Head address={address} total={total === undefined ? '' : counted(total, 'signal')} />
      <FilterBar filters={filters} onFilter={set} />
      <UnknownFilters names={unknownFilters(search)} />
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
