import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Freshness } from '#schemas/api/dashboard.ts';
import type { Fault } from '../api/fault.ts';
import { FaultNote } from './fault-note.tsx';
import { Fresh } from './fresh.tsx';
import { StaleNote } from './stale-note.tsx';

interface TileProps<Data> {
  readonly title: ReactNode;
  readonly query: Pick<
    UseQueryResult<Data, Fault>,
    'data' | 'error' | 'isPending' | 'isError' | 'dataUpdatedAt' | 'isPlaceholderData'
  > & { readonly refetch: () => unknown };
  /** The freshness in the response; missing: the time of the response. */
  readonly freshnessOf?: (data: Data) => { readonly asOf: string; readonly freshness: Freshness };
  /** Content for an expected fault, such as an empty ledger; null: a real fault. */
  readonly emptyOf?: (fault: Fault) => ReactNode;
  readonly size?: 'wide' | 'full';
  readonly children: (data: Data) => ReactNode;
}

/** A part of a page with its own query: it loads, fails and becomes stale independently. */
export function Tile<Data>({ title, query, freshnessOf, emptyOf, size, children }: TileProps<Data>) {
  const id = useId();
  const { data, error, isError, isPlaceholderData, dataUpdatedAt } = query;
  const isStale = data !== undefined && (isError || isPlaceholderData);
  const empty = error !== null && data === undefined ? emptyOf?.(error) : null;
  const said = data === undefined ? undefined : freshnessOf?.(data);
  return (
    <section className="card tile" data-size={size ?? 'one'} data-stale={isStale} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {data !== undefined && !isStale && (
          <Fresh {...(said ?? { asOf: new Date(dataUpdatedAt).toISOString() })} />
        )}
      </header>
      {data !== undefined && error !== null && (
        <StaleNote at={dataUpdatedAt} fault={error} retry={query.refetch} />
      )}
      {data !== undefined && <div className="tile-body">{children(data)}</div>}
      {data === undefined && !isError && (
        <div className="loading" role="status">
          <span className="muted">Loading…</span>
        </div>
      )}
      {empty}
      {data === undefined && error !== null && !empty && (
        <FaultNote fault={error} retry={() => void query.refetch()} />
      )}
    </section>
  );
}
