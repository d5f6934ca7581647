import { useSearchParams } from 'wouter';
import type { Signal } from '#schemas/api/signals.ts';
import { withDates, withFilter } from '../../address/signal-filters.ts';
import { exactNumber } from '../../format/numbers.ts';
import { label, violationsText } from '../../labels/label.ts';
import { NothingMatches } from '../../ui/empty.tsx';
import { LEVELS_DOWN, Level } from '../../ui/level.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { SignalSheet } from './signal-sheet.tsx';
import type { SignalsView } from './use-views.ts';

interface SignalsProps {
  readonly view: SignalsView;
  /** Whether the token permits proofs. */
  readonly canProve: boolean;
}

function Filters({ view: { filters, period } }: Pick<SignalsProps, 'view'>) {
  const [, setSearch] = useSearchParams();
  return (
    <div className="filter-bar">
      <label className="inline-field">
        <span>Risk level</span>
        <select
          value={filters.riskLevel ?? ''}
          onChange={({ target }) => setSearch((former) => withFilter(former, 'riskLevel', target.value))}
        >
          <option value="">All</option>
          {LEVELS_DOWN.map((level) => (
            <option key={level} value={level}>
              {label('riskLevel', level)}
            </option>
          ))}
        </select>
      </label>
      <PeriodChoice
        period={period}
        byDefault={null}
        onChoose={(dates) => setSearch((former) => withDates(former, dates))}
      />
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly Signal[];
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

function Rows({ rows, open, onOpen }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="across" aria-label="Signals table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Risk</th>
            <th scope="col">Sandbox</th>
            <th scope="col">Violations</th>
            <th scope="col">Model</th>
            <th scope="col" className="number">
              Ledger entry
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((signal) => (
            <tr key={signal.id} aria-selected={signal.id === open}>
              <th scope="row">
                <button type="button" className="link-button" onClick={() => onOpen(signal.id)}>
                  <Time at={signal.createdAt} />
                </button>
              </th>
              <td>
                <Level level={signal.riskLevel} />
              </td>
              <td>{signal.sandboxSlug}</td>
              <td>{violationsText(signal.violations)}</td>
              <td>{signal.model}</td>
              <td className="number">{exactNumber(signal.index)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Signals that the token shows; an open one is next to the list. */
export function Signals({ view, canProve }: SignalsProps) {
  const [search, setSearch] = useSearchParams();
  const open = search.get('open');
  const show = (id: string | null): void => setSearch((former) => withFilter(former, 'open', id));
  return (
    <Tile title="Signals" query={view.query} size="full">
      {({ rows, total }) => {
        const chosen = rows.find(({ id }) => id === open);
        return (
          <>
            <Filters view={view} />
            {total === 0 ? (
              <NothingMatches />
            ) : (
              <div className="beside" data-open={chosen !== undefined}>
                <Rows rows={rows} open={open} onOpen={show} />
                {chosen !== undefined && (
                  <SignalSheet
                    key={chosen.id}
                    signal={chosen}
                    canProve={canProve}
                    onClose={() => show(null)}
                  />
                )}
              </div>
            )}
            <MoreRows unit="signal" query={view.query} />
          </>
        );
      }}
    </Tile>
  );
}
