import type { ReactNode } from 'react';
import type { Counted } from '../../address/counted.ts';
import { Amount } from '../amount.tsx';
import { CountLink } from '../count-link.tsx';

interface BarRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly count: number;
  /** What it counts; null: no list shows exactly that. */
  readonly counted: Counted | null;
}

interface BarListProps {
  readonly rows: readonly BarRow[];
  /** Maximum number of rows shown. */
  readonly max: number;
}

/**
 * Counts by name with bars for comparison, each linked to what it counts. A list, so that it needs no separate table.
 */
export function BarList({ rows, max: maxRows }: BarListProps) {
  const highest = Math.max(1, ...rows.map(({ count }) => count));
  const rest = rows.length - maxRows;
  return (
    <>
      <ul className="bar-list">
        {rows.slice(0, maxRows).map(({ key, name, count, counted }) => {
          const shown = (
            <>
              <span className="bar-name">{name}</span>
              <Amount value={count} />
              <span className="bar" style={{ inlineSize: `${(100 * count) / highest}%` }} />
            </>
          );
          return (
            <li key={key}>
              {counted === null ? (
                <span className="bar-row">{shown}</span>
              ) : (
                <CountLink counted={counted} count={count}>
                  {shown}
                </CountLink>
              )}
            </li>
          );
        })}
      </ul>
      {rest > 0 && <p className="muted">{rest} more</p>}
    </>
  );
}
