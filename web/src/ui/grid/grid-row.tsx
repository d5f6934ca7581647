import { memo, type ReactNode } from 'react';

export interface GridColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Width in a CSS grid. */
  readonly width: string;
  /** Shown only where there is room; the first three columns always are. */
  readonly isMore?: boolean;
  readonly titleOf?: (row: Row) => string;
  readonly cellOf: (row: Row) => ReactNode;
}

interface GridRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly columns: readonly GridColumn<Row>[];
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Drawn<Row extends { readonly id: string }>(props: GridRowProps<Row>) {
  const { row, index, top, columns, isActive, isOpen, onOpen } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys, and its cursor names this row
    <div
      id={`row-${row.id}`}
      role="row"
      tabIndex={-1}
      // The header is the first row.
      aria-rowindex={index + 2}
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

/** Rendered again when its content changes; the handler that opens it does not matter. */
export const GridRow = memo(
  Drawn,
  (a, b) =>
    a.row === b.row &&
    a.index === b.index &&
    a.top === b.top &&
    a.columns === b.columns &&
    a.isActive === b.isActive &&
    a.isOpen === b.isOpen,
) as typeof Drawn;
