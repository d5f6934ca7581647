import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Link } from 'wouter';
import { exportSignals } from '#schemas/endpoints.ts';
import { type Period, periodQuery } from '../../address/period.ts';
import { forgetView, readViews, saveView } from '../../address/saved-views.ts';
import type { SignalFilters } from '../../address/signal-filters.ts';
import { addressOf } from '../../api/call.ts';
import { label } from '../../labels/label.ts';
import { COLUMNS, type ColumnId } from './columns.ts';

const FORMATS = ['csv', 'xlsx', 'json', 'ndjson', 'parquet'] as const;

interface ExportLinksProps {
  readonly filters: SignalFilters;
  readonly period: Period;
}

/** Links that export the list with its filters. The browser downloads the file: the page holds none of it. */
export function ExportLinks({ filters, period }: ExportLinksProps) {
  const query = { ...filters, ...periodQuery(period, Date.now()) };
  return (
    <details className="tool">
      <summary className="button">Export</summary>
      <ul className="plain card">
        {FORMATS.map((format) => (
          <li key={format}>
            <a href={addressOf(exportSignals, { query: { ...query, format } })} download>
              {label('exportFormat', format)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ColumnChoiceProps {
  readonly columns: readonly ColumnId[];
  readonly onChoose: (columns: readonly ColumnId[]) => void;
}

export function ColumnChoice({ columns, onChoose }: ColumnChoiceProps) {
  return (
    <details className="tool">
      <summary className="button">Columns</summary>
      <fieldset className="card">
        <legend className="hidden">Columns to show</legend>
        {COLUMNS.map(({ id, label: name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={columns.includes(id)}
              onChange={({ target }) =>
                onChoose(
                  COLUMNS.map((column) => column.id).filter((one) =>
                    one === id ? target.checked : columns.includes(one),
                  ),
                )
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** Filters saved under a name in this browser. */
export function SavedViews({ search }: { readonly search: string }) {
  const [views, setViews] = useState(() => readViews(localStorage));
  return (
    <details className="tool">
      <summary className="button">Saved views</summary>
      <div className="card">
        {views.length === 0 && <p className="muted">No saved views</p>}
        <ul className="plain">
          {views.map(({ name, search: kept }) => (
            <li key={name} className="view">
              <Link href={`/signals?${kept}`}>{name}</Link>
              <Button
                className="chip-close"
                aria-label={`Delete view ${name}`}
                onPress={() => setViews(forgetView(localStorage, name))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
        <form
          className="add-filter"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name') ?? '');
            setViews(saveView(localStorage, name, search));
            event.currentTarget.reset();
          }}
        >
          <span className="inline-field">
            <input name="name" maxLength={64} required aria-label="View name" placeholder="Name" />
          </span>
          <Button type="submit" className="button">
            Save view
          </Button>
        </form>
      </div>
    </details>
  );
}
