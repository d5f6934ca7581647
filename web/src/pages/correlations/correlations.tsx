import { Button } from 'react-aria-components';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { listCorrelations } from '#schemas/endpoints.ts';
import { FINDING_SOURCES, FINDING_TYPES } from '#schemas/vocabulary.ts';
import { filtersOf, oneOf, unknownIn } from '../../address/filters.ts';
import { useSearch } from '../../address/use-search.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { NothingMatches } from '../../ui/empty.tsx';
import { KeysHint } from '../../ui/list/keys-hint.tsx';
import { ListNotes } from '../../ui/list/list-notes.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { ToggleChoice } from '../../ui/list/toggle-choice.tsx';
import { FindingList } from './finding-list.tsx';
import { FindingSheet } from './finding-sheet.tsx';
import { NewRun } from './new-run.tsx';
import { rowsOf } from './patterns.ts';
import { Settings } from './settings.tsx';

const FILTERS = ['source', 'type'] as const;
const ORDERS = ['score', 'new'] as const;

function addressOf(search: URLSearchParams, id: string): string {
  const changed = new URLSearchParams(search);
  changed.delete('tab');
  changed.set('open', id);
  return `/correlations?${changed}`;
}

const NoneYet = () => (
  <div className="empty">
    <p>
      No patterns yet. We watch for spikes, campaigns, regressions and more; most need about a week of data.
      To look for patterns in past signals, scan the history.
    </p>
  </div>
);

function FilterBar({ search, change }: Pick<ReturnType<typeof useSearch>, 'search' | 'change'>) {
  return (
    <div className="list-bar">
      <ToggleChoice
        label="Source"
        chosen={oneOf(search.get('source'), FINDING_SOURCES)}
        onChoose={(source) => change({ source })}
        options={FINDING_SOURCES.toReversed().map((value) => ({
          value,
          shown: label('patternSource', value),
        }))}
      />
      <ToggleChoice
        label="Type"
        chosen={oneOf(search.get('type'), FINDING_TYPES)}
        onChoose={(type) => change({ type })}
        options={FINDING_TYPES.map((value) => ({ value, shown: label('patternType', value) }))}
      />
      <ToggleChoice
        label="Sort by"
        isRequired
        chosen={oneOf(search.get('order'), ORDERS) ?? 'score'}
        onChoose={(order) => change({ order: order === 'new' ? order : null })}
        options={[
          { value: 'score', shown: 'Confidence' },
          { value: 'new', shown: 'Newest' },
        ]}
      />
    </div>
  );
}

/** `6 patterns · 1 scan` once all are loaded. */
function totalText(rows: readonly ShownCorrelationRun[], total: number | undefined): string {
  if (total === undefined) return '';
  const scans = rows.filter(({ source }) => source === 'RUN').length;
  if (rows.length < total) return counted(total, 'pattern or scan', 'patterns and scans');
  const patterns = counted(total - scans, 'pattern');
  if (scans === 0) return patterns;
  return total === scans ? counted(scans, 'scan') : `${patterns} · ${counted(scans, 'scan')}`;
}

interface HeadProps extends Pick<ReturnType<typeof useSearch>, 'change'> {
  readonly total: string;
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
}

const Head = ({ total, isFetching, onRefresh, change }: HeadProps) => (
  <header className="page-head">
    <h1>Patterns</h1>
    <span role="status">{total}</span>
    <Button className="button" isDisabled={isFetching} onPress={onRefresh}>
      Refresh
    </Button>
    <Button className="button" onPress={() => change({ tab: 'settings', open: null })}>
      Settings
    </Button>
    <Button className="button primary" onPress={() => change({ tab: 'run', open: null })}>
      Scan history
    </Button>
  </header>
);

export function Page() {
  const { search, change, clear } = useSearch();
  const filters = filtersOf(FILTERS, search);
  const [open, tab] = [search.get('open'), search.get('tab')];
  const query = useList(listCorrelations, { query: filters });
  const [rows, total] = [query.data?.rows ?? [], query.data?.total];
  const refresh = (): void => void query.refetch();
  const order = oneOf(search.get('order'), ORDERS) ?? 'score';
  const isFiltered = Object.keys(filters).length > 0;
  const hasSheet = open !== null || tab === 'run' || tab === 'settings';
  return (
    <>
      <Head
        total={totalText(rows, total)}
        isFetching={query.isFetching}
        onRefresh={refresh}
        change={change}
      />
      <FilterBar search={search} change={change} />
      <ListNotes
        unknown={unknownIn([...FILTERS, 'order'], search)}
        error={query.error}
        dataUpdatedAt={query.dataUpdatedAt}
        onRefresh={refresh}
      />
      <div className="beside" data-open={hasSheet}>
        <div className="list">
          {total === 0 && !isFiltered && <NoneYet />}
          {total === 0 && isFiltered && (
            <NothingMatches>
              <Button className="button" onPress={clear}>
                Clear filters
              </Button>
            </NothingMatches>
          )}
          {rows.length > 0 && (
            <FindingList rows={rowsOf(rows, order)} open={open} addressOf={(id) => addressOf(search, id)} />
          )}
          {order === 'score' && rows.length < (total ?? 0) && (
            <p className="muted">Sorted within the newest {rows.length}.</p>
          )}
          {rows.length < (total ?? 0) && (
            <MoreRows unit="pattern or scan" units="patterns and scans" query={query} />
          )}
          <p>
            <KeysHint />
          </p>
        </div>
        {open !== null && <FindingSheet key={open} id={open} onClose={() => change({ open: null })} />}
        {open === null && tab === 'run' && (
          <NewRun
            onClose={() => change({ tab: null })}
            onStarted={({ id }) => change({ tab: null, open: id })}
          />
        )}
        {open === null && tab === 'settings' && <Settings onClose={() => change({ tab: null })} />}
      </div>
    </>
  );
}
