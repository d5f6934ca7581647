import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Signal } from '#schemas/api/signals.ts';
import { counted } from '../../format/numbers.ts';
import { COLUMNS, type ColumnId } from './columns.ts';
import { moveOf } from './list-keys.ts';
import { SignalRow } from './signal-row.tsx';

interface SignalGridProps {
  readonly rows: readonly Signal[];
  readonly total: number;
  readonly columns: readonly ColumnId[];
  /** Id of the signal whose sheet is open. */
  readonly open: string | null;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly onOpen: (id: string | null, how: 'push' | 'replace') => void;
}

const ROW_PX = 36;
const ROWS_AROUND = 10;
/** Columns that are shown however narrow the list is. */
const ALWAYS_THERE = ['Time, UTC', 'Risk level', 'Violations'];
const WIDTHS = ['160px', '104px', 'minmax(120px, 2fr)'];
/** Keys of the page rather than of the list alone. */
const FROM_ANYWHERE = ['j', 'k', 'Escape'];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, button, a, [role=menu]') !== null;

/** Which row is under the cursor, and what keys do to it. An open sheet follows the cursor. */
function useCursor({ rows, open, onOpen }: SignalGridProps) {
  const [active, setActive] = useState(-1);
  const opened = open === null ? -1 : rows.findIndex(({ id }) => id === open);
  useEffect(() => {
    if (opened >= 0) setActive(opened);
  }, [opened]);
  const press = (key: string): boolean => {
    const move = moveOf(key, active, rows.length);
    if (move === null || (move === 'close' && open === null)) return false;
    if (move === 'close') onOpen(null, 'push');
    else if (move === 'open') onOpen(rows[active]?.id ?? null, 'push');
    else {
      setActive(move.to);
      const row = rows[move.to];
      if (open !== null && row !== undefined) onOpen(row.id, 'replace');
    }
    return true;
  };
  return { active, setActive, press };
}

/** Keys from anywhere on the page where nobody types: the list is what the page is for. */
function usePageKeys(press: (key: string) => boolean, focus: () => void): void {
  const latest = useRef({ press, focus });
  latest.current = { press, focus };
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (!FROM_ANYWHERE.includes(event.key) || !latest.current.press(event.key)) return;
      event.preventDefault();
      latest.current.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** What of the list is drawn: the rows in sight. The one under the cursor comes into sight, and more are asked for in time. */
function useRowsInSight(
  { rows, hasMore, onMore }: SignalGridProps,
  active: number,
  scroller: RefObject<HTMLDivElement | null>,
) {
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
  return { inSight, height: virtual.getTotalSize() };
}

function GridHead({ labels }: { readonly labels: readonly string[] }) {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" tabIndex={-1} aria-rowindex={1} className="grid-row">
        {[...ALWAYS_THERE, ...labels].map((label, place) => (
          <span
            key={label}
            role="columnheader"
            tabIndex={-1}
            className={place < ALWAYS_THERE.length ? 'clip' : 'clip more'}
          >
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Signals, of which only those in sight are drawn. */
export function SignalGrid(props: SignalGridProps) {
  const { rows, total, columns, open, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { active, setActive, press } = useCursor(props);
  const { inSight, height } = useRowsInSight(props, active, scroller);
  usePageKeys(press, () => scroller.current?.focus({ preventScroll: true }));
  const onGridKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || FROM_ANYWHERE.includes(event.key)) return;
    if (press(event.key)) event.preventDefault();
  };
  const shown = COLUMNS.filter(({ id }) => columns.includes(id));
  const template = [...WIDTHS, ...shown.map(({ width }) => width)].join(' ');
  const activeId = inSight.some(({ index }) => index === active) ? `row-${rows[active]?.id}` : undefined;
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={counted(total, 'signal')}
      aria-rowcount={total + 1}
      aria-activedescendant={activeId}
      onKeyDown={onGridKey}
      style={{ '--columns': template } as CSSProperties}
    >
      <GridHead labels={shown.map(({ label }) => label)} />
      <div role="rowgroup" className="grid-body" style={{ blockSize: height }}>
        {inSight.map(({ index, start }) => {
          const signal = rows[index]!;
          return (
            <SignalRow
              key={signal.id}
              signal={signal}
              place={index}
              top={start}
              columns={columns}
              isActive={index === active}
              isOpen={signal.id === open}
              onOpen={() => {
                setActive(index);
                onOpen(signal.id, open === null ? 'push' : 'replace');
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
