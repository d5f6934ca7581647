import { type ReactNode, useCallback } from 'react';
import { Button } from 'react-aria-components';
import type { Fault } from '../../api/fault.ts';
import { exactNumber } from '../../format/numbers.ts';
import { NothingMatches } from '../empty.tsx';
import { FaultNote } from '../fault-note.tsx';
import { Fresh } from '../fresh.tsx';
import { KeysHint } from '../list/keys-hint.tsx';
import { StaleNote } from '../stale-note.tsx';
import { Grid } from './grid.tsx';
import type { GridColumn } from './grid-row.tsx';

/** The query of a list, whatever it lists. */
interface ListRequest<Row> {
  /** Undefined: not loaded yet. */
  readonly data:
    | { readonly rows: readonly Row[]; readonly total: number; readonly isCut: boolean }
    | undefined;
  readonly error: Fault | null;
  readonly dataUpdatedAt: number;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface ListBodyProps<Row> {
  readonly query: ListRequest<Row>;
  /** What it lists, such as `12 audits`. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly open: string | null;
  readonly onOpen: (id: string, how: 'push' | 'replace') => void;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** Shown while there are no records at all. */
  readonly nothingYet: ReactNode;
  readonly sheet: ReactNode;
  /** Another way to rows beyond the list’s end, such as `, or export them,`. */
  readonly beyond?: string;
  /** Further buttons. */
  readonly tools?: ReactNode;
}

/** A list in each of its states, with the open row's sheet next to it. */
export function ListBody<Row extends { readonly id: string }>(props: ListBodyProps<Row>) {
  const {
    query,
    label,
    columns,
    open,
    onOpen,
    isFiltered,
    onClear,
    nothingYet,
    sheet,
    beyond = '',
    tools,
  } = props;
  const { data, error, dataUpdatedAt, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage } = query;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  const refresh = (): void => void query.refetch();
  return (
    <>
      <div className="list-tools">
        <KeysHint />
        {dataUpdatedAt > 0 && <Fresh asOf={new Date(dataUpdatedAt).toISOString()} />}
        <Button className="button" isDisabled={isFetching} onPress={refresh}>
          Refresh
        </Button>
        {tools}
      </div>
      {error !== null && data === undefined && <FaultNote fault={error} retry={refresh} />}
      {error !== null && data !== undefined && <StaleNote at={dataUpdatedAt} fault={error} retry={refresh} />}
      <div className="beside" data-open={open !== null} data-stale={error !== null && data !== undefined}>
        {data === undefined ? (
          error === null && (
            <p className="muted" role="status">
              Loading…
            </p>
          )
        ) : data.rows.length > 0 ? (
          <Grid
            rows={data.rows}
            total={data.total}
            label={label}
            columns={columns}
            open={open}
            hasMore={hasNextPage}
            onMore={more}
            onOpen={onOpen}
          />
        ) : isFiltered ? (
          <NothingMatches>
            <Button className="button" onPress={onClear}>
              Clear filters
            </Button>
          </NothingMatches>
        ) : (
          nothingYet
        )}
        {open !== null && sheet}
      </div>
      {data?.isCut === true && (
        <p className="stale-note">
          Showing the first {exactNumber(data.rows.length)}. Narrow your filters{beyond} to see more.
        </p>
      )}
    </>
  );
}
