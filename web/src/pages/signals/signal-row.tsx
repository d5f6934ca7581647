import { memo } from 'react';
import type { Signal } from '#schemas/api/signals.ts';
import { fullTime } from '../../format/times.ts';
import { Level } from '../../ui/level.tsx';
import { COLUMNS, type ColumnId } from './columns.ts';

interface SignalRowProps {
  readonly signal: Signal;
  readonly place: number;
  /** Pixels from the list's beginning. */
  readonly top: number;
  readonly columns: readonly ColumnId[];
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

const isSame = (a: SignalRowProps, b: SignalRowProps): boolean =>
  a.signal === b.signal &&
  a.top === b.top &&
  a.columns === b.columns &&
  a.isActive === b.isActive &&
  a.isOpen === b.isOpen;

/** In UTC, as the head of its column says; on a telephone without year and seconds. */
function RowTime({ at }: { readonly at: string }) {
  const [, year, middle, seconds] =
    /^(\d{4}-)(\d{2}-\d{2} \d{2}:\d{2})(:\d{2}) UTC$/.exec(fullTime(at)) ?? [];
  if (middle === undefined) return fullTime(at);
  return (
    <time dateTime={at}>
      <span className="fine">{year}</span>
      {middle}
      <span className="fine">{seconds}</span>
    </time>
  );
}

export const SignalRow = memo(
  ({ signal, place, top, columns, isActive, isOpen, onOpen }: SignalRowProps) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys belong to the grid, whose cursor names this row
    <div
      id={`row-${signal.id}`}
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
      <span role="gridcell" tabIndex={-1} className="clip" title={fullTime(signal.createdAt)}>
        <RowTime at={signal.createdAt} />
      </span>
      <span role="gridcell" tabIndex={-1}>
        <Level level={signal.riskLevel} />
      </span>
      <span role="gridcell" tabIndex={-1} className="clip" title={signal.violations.join(', ')}>
        {signal.anonymized ? 'anonymized' : signal.violations.join(', ') || 'none'}
      </span>
      {COLUMNS.filter(({ id }) => columns.includes(id)).map(({ id, textOf }) => (
        <span key={id} role="gridcell" tabIndex={-1} className="clip more" title={textOf(signal)}>
          {textOf(signal)}
        </span>
      ))}
    </div>
  ),
  isSame,
);
