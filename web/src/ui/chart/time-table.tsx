import type { Counted } from '../../address/counted.ts';
import { exactNumber } from '../../format/numbers.ts';
import { fullTime } from '../../format/times.ts';
import { CountLink } from '../count-link.tsx';

interface TimeTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    /** ISO 8601: where the interval starts. */
    readonly at: string;
    readonly cells: readonly { readonly count: number; readonly counted: Counted }[];
  }[];
}

/** The numbers of a chart over time, as a table. */
export function TimeTable({ label, columns, rows }: TimeTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, cells }) => (
            <tr key={at}>
              <th scope="row">{fullTime(at)}</th>
              {cells.map(({ count, counted }, index) => (
                <td key={columns[index]} className="number">
                  {count === 0 ? (
                    '0'
                  ) : (
                    <CountLink counted={counted} count={count}>
                      {exactNumber(count)}
                    </CountLink>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
