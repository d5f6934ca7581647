import type { ReactNode } from 'react';
import { Amount } from '../amount.tsx';
import { PageLink } from '../page-link.tsx';

interface BarRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly count: number;
  readonly to: string;
}

interface BarListProps {
  readonly rows: readonly BarRow[];
  /** What is counted, as `signals`. */
  readonly unit: string;
  /** Rows that are shown; the others are counted. */
  readonly most: number;
}

/** Counts by name with bars to compare them by; each leads to what it counts. A list, so that it is its own table. */
export function BarList({ rows, unit, most }: BarListProps) {
  const highest = Math.max(1, ...rows.map(({ count }) => count));
  const rest = rows.slice(most);
  return (
    <>
      <ul className="bar-list">
        {rows.slice(0, most).map(({ key, name, count, to }) => (
          <li key={key}>
            <PageLink to={to}>
              <span className="bar-name">{name}</span>
              <Amount value={count} />
              <span className="bar" style={{ inlineSize: `${(100 * count) / highest}%` }} />
            </PageLink>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p className="muted">
          and {rest.length} more with <Amount value={rest.reduce((sum, { count }) => sum + count, 0)} />{' '}
          {unit}
        </p>
      )}
    </>
  );
}
