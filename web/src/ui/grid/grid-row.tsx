import { memo, type ReactNode } from 'react';

export interface GridColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Of a CSS grid. */
  readonly width: string;
  /** Only where there is room; the first three columns are always there. */
  readonly isMore?: boolean;
  readonly titleOf?: (row: Row) => string;
  readonly cellOf: (row: Row) => ReactNode;
}

interface GridRowProps<Row> {
  readonly row: Row;
  readonly place: number;
  readonly top: number;
  readonly columns: readonly GridColumn<Row>[];
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Drawn<Row extends { readonly id: string }>(props: GridRowProps<Row>) {
  const { row, place, top, columns, isActive, isOpen, onOpen } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys belong to the grid, whose cursor names this row
    <div
      id={`row-${row.id}`}
      role="row"
      tabIndex={-1}
      // The head is the first row.
      aria-rowindex={place + 2}
      aria-selected={isOpen}
      className="grid-row"
      data-active={isActive}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
    >
      {columns.map(({ id, isMore, titleOf, cellOf }) => (
        <span
          key={id}
          role="gridcell"
          tabIndex={-1}
          className={isMore ? 'clip more' : 'clip'}
          title={titleOf?.(row)}
        >
          {cellOf(row)}
        </span>
      ))}
    </div>
  );
}

/** Drawn anew when what it shows is another; how it is opened does not show. */
export const GridRow = memo(
  Drawn,
  (a, b) =>
    a.row === b.row &&
    a.place === b.place &&
    a.top === b.top &&
    a.columns === b.columns &&
    a.isActive === b.isActive &&
    a.isOpen === b.isOpen,
) as typeof Drawn;
