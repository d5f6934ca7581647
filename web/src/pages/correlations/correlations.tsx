import { Button } from 'react-aria-components';
import { listCorrelations } from '#schemas/endpoints.ts';
import { FINDING_SOURCES, FINDING_TYPES } from '#schemas/vocabulary.ts';
import { filtersOf, oneOf, unknownIn } from '../../address/filters.ts';
import { useSearch } from '../../address/use-search.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { NothingMatches } from '../../ui/empty.tsx';
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
const SOURCE_NAMES = { STREAM: 'As signals came', RUN: 'Runs over history' } as const;

function addressOf(search: URLSearchParams, id: string): string {
  const changed = new URLSearchParams(search);
  changed.delete('tab');
  changed.set('open', id);
  return `/correlations?${changed}`;
}

const NoneYet = () => (
  <div className="empty">
    <p>
      No finding yet. Patterns that no single signal shows are looked for as signals come: bursts, violations
      that keep coming, several sandboxes at once, models that are worse, climbing risk, campaigns. Most need
      a week of signals to know what is usual. A run looks for them in history.
    </p>
  </div>
);

function FilterBar({ search, change }: Pick<ReturnType<typeof useSearch>, 'search' | 'change'>) {
  return (
    <div className="list-bar">
      <ToggleChoice
        label="Found"
        chosen={oneOf(search.get('source'), FINDING_SOURCES)}
        onChoose={(source) => change({ source })}
        options={FINDING_SOURCES.toReversed().map((value) => ({ value, shown: SOURCE_NAMES[value] }))}
      />
      <ToggleChoice
        label="Type"
        chosen={oneOf(search.get('type'), FINDING_TYPES)}
        onChoose={(type) => change({ type })}
        options={FINDING_TYPES.map((value) => ({ value, shown: value }))}
      />
      <ToggleChoice
        label="Order"
        isRequired
        chosen={oneOf(search.get('order'), ORDERS) ?? 'score'}
        onChoose={(order) => change({ order: order === 'new' ? order : null })}
        options={[
          { value: 'score', shown: 'Most certain first' },
          { value: 'new', shown: 'Newest first' },
        ]}
      />
    </div>
  );
}

interface HeadProps extends Pick<ReturnType<typeof useSearch>, 'change'> {
  readonly total: number | undefined;
  readonly isFetching: boolean;
  readonly onRenew: () => void;
}

const Head = ({ total, isFetching, onRenew, change }: HeadProps) => (
  <header className="page-head">
    <h1>Findings</h1>
    <span role="status">
      {total === undefined ? '' : counted(total, 'finding or run', 'findings and runs')}
    </span>
    <Button className="button" isDisabled={isFetching} onPress={onRenew}>
      Renew
    </Button>
    <Button className="button" onPress={() => change({ tab: 'settings', open: null })}>
      Settings
    </Button>
    <Button className="button primary" onPress={() => change({ tab: 'run', open: null })}>
      Start a run
    </Button>
  </header>
);

export function Page() {
  const { search, change, clear } = useSearch();
  const filters = filtersOf(FILTERS, search);
  const [open, tab] = [search.get('open'), search.get('tab')];
  const query = useList(listCorrelations, { query: filters });
  const [rows, total] = [query.data?.rows ?? [], query.data?.total];
  const renew = (): void => void query.refetch();
  const order = oneOf(search.get('order'), ORDERS) ?? 'score';
  const isFiltered = Object.keys(filters).length > 0;
  const hasSheet = open !== null || tab === 'run' || tab === 'settings';
  return (
    <>
      <Head total={total} isFetching={query.isFetching} onRenew={renew} change={change} />
      <FilterBar search={search} change={change} />
      <ListNotes
        what="Findings"
        unknown={unknownIn([...FILTERS, 'order'], search)}
        error={query.error}
        dataUpdatedAt={query.dataUpdatedAt}
        onRenew={renew}
      />
      <div className="beside" data-open={hasSheet}>
        <div className="list">
          {total === 0 && !isFiltered && <NoneYet />}
          {total === 0 && isFiltered && (
            <NothingMatches>
              <Button className="button" onPress={clear}>
                Clear the filters
              </Button>
            </NothingMatches>
          )}
          {rows.length > 0 && (
            <FindingList rows={rowsOf(rows, order)} open={open} addressOf={(id) => addressOf(search, id)} />
          )}
          {order === 'score' && rows.length < (total ?? 0) && (
            <p className="muted">Ordered among the newest {rows.length}.</p>
          )}
          {rows.length < (total ?? 0) && (
            <MoreRows unit="finding or run" units="findings and runs" query={query} />
          )}
          <p className="muted">Keys: j and k move, Enter opens, Esc closes.</p>
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
