import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { takesLetters } from '../is-typing.ts';
import { type GridColumn, GridRow } from './grid-row.tsx';
import { moveOf } from './list-keys.ts';

interface GridProps<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** What it lists, such as `12 signals`. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** Id of the row whose sheet is open. */
  readonly open: string | null;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly onOpen: (id: string, how: 'push' | 'replace') => void;
}

const ROW_PX = 36;
const ROWS_AROUND = 10;

type Cursor = Pick<GridProps<{ readonly id: string }>, 'rows' | 'open' | 'onOpen'>;

/** Which row is under the cursor, and what keys do to it. An open sheet follows the cursor. */
function useCursor({ rows, open, onOpen }: Cursor) {
  const [active, setActive] = useState(-1);
  const opened = open === null ? -1 : rows.findIndex(({ id }) => id === open);
  useEffect(() => {
    if (opened >= 0) setActive(opened);
  }, [opened]);
  const press = (key: string): boolean => {
    const move = moveOf(key, active, rows.length);
    if (move === null) return false;
    if (move === 'open') {
      const row = rows[active];
      if (row !== undefined) onOpen(row.id, 'push');
    } else {
      setActive(move.to);
      const row = rows[move.to];
      if (open !== null && row !== undefined) onOpen(row.id, 'replace');
    }
    return true;
  };
  return { active, setActive, press };
}

/** J and K work anywhere on the page unless the user is typing: the list is the page's purpose. */
function useKeysOfPage(press: (key: string) => boolean, focus: () => void): void {
  const latest = useRef({ press, focus });
  latest.current = { press, focus };
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || takesLetters(event.target)) return;
      if (['j', 'k'].includes(event.key) && latest.current.press(event.key)) {
        event.preventDefault();
        latest.current.focus();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Records in rows, of which only visible ones are drawn. */
export function Grid<Row extends { readonly id: string }>(props: GridProps<Row>) {
  const { rows, total, label, columns, open, hasMore, onMore, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { active, setActive, press } = useCursor(props);
  useKeysOfPage(press, () => scroller.current?.focus({ preventScroll: true }));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AROUND,
  });
  const inSight = virtual.getVirtualItems();
  const last = inSight.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - ROWS_AROUND) onMore();
  }, [hasMore, last, rows.length, onMore]);
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active);
  }, [active, virtual]);
  const onGridKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || ['j', 'k'].includes(event.key)) return;
    if (press(event.key)) event.preventDefault();
  };
  const activeId = inSight.some(({ index }) => index === active) ? `row-${rows[active]?.id}` : undefined;
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-activedescendant={activeId}
      onKeyDown={onGridKey}
      style={{ '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties}
    >
      <div role="rowgroup" className="grid-head">
        <div role="row" tabIndex={-1} aria-rowindex={1} className="grid-row">
          {columns.map(({ id, label: name, isMore }) => (
            <span key={id} role="columnheader" tabIndex={-1} className={isMore ? 'clip more' : 'clip'}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="grid-body" style={{ blockSize: virtual.getTotalSize() }}>
        {inSight.map(({ index, start }) => {
          const row = rows[index]!;
          return (
            <GridRow
              key={row.id}
              row={row}
              index={index}
              top={start}
              columns={columns}
              isActive={index === active}
              isOpen={row.id === open}
              onOpen={() => {
                setActive(index);
                onOpen(row.id, open === null ? 'push' : 'replace');
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
