import { type ReactNode, useMemo } from 'react';
import { Button } from 'react-aria-components';
import type { Fault } from '../../api/fault.ts';
import { MAX_PAGES } from '../../api/next-page.ts';
import { NothingMatches } from '../empty.tsx';
import { FaultNote } from '../fault-note.tsx';
import { Fresh } from '../fresh.tsx';
import { Grid } from './grid.tsx';
import type { GridColumn } from './grid-row.tsx';

/** What a list asks for, whatever it lists. */
interface Asked {
  readonly error: Fault | null;
  readonly dataUpdatedAt: number;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly hasNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

interface ListBodyProps<Row> {
  readonly query: Asked;
  /** Undefined: not there yet. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number;
  readonly pages: number;
  /** What it lists, as `12 audits`. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly open: string | null;
  readonly onOpen: (id: string | null, how: 'push' | 'replace') => void;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** Shown while there is nothing at all. */
  readonly nothingYet: ReactNode;
  readonly sheet: ReactNode;
}

/** A list in each of its states, with the sheet of the row that is open beside it. */
export function ListBody<Row extends { readonly id: string }>(props: ListBodyProps<Row>) {
  const { query, rows, total, pages, label, columns, open, onOpen, isFiltered, onClear, nothingYet, sheet } =
    props;
  const { error, dataUpdatedAt, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const more = useMemo(
    () => () => {
      if (!isFetchingNextPage) void fetchNextPage();
    },
    [fetchNextPage, isFetchingNextPage],
  );
  return (
    <>
      <div className="list-tools">
        <span className="muted">Keys: j and k move, Enter opens, Esc closes.</span>
        {dataUpdatedAt > 0 && <Fresh asOf={new Date(dataUpdatedAt).toISOString()} />}
        <Button className="button" isDisabled={isFetching} onPress={() => void refetch()}>
          Renew
        </Button>
      </div>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      <div className="beside" data-open={open !== null} data-stale={error !== null && rows !== undefined}>
        {rows === undefined ? (
          error === null && (
            <p className="muted" role="status">
              Loading
            </p>
          )
        ) : rows.length > 0 ? (
          <Grid
            rows={rows}
            total={total}
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
              Clear the filters
            </Button>
          </NothingMatches>
        ) : (
          nothingYet
        )}
        {open !== null && sheet}
      </div>
      {pages >= MAX_PAGES && (
        <p className="stale-note">The list ends here. Narrow the filters for the others.</p>
      )}
    </>
  );
}
