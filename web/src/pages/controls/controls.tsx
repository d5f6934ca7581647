import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import { getCoverage, listAttestations } from '#schemas/endpoints.ts';
import { CONTROL_STATUSES, type ControlStatus, FRAMEWORKS } from '#schemas/vocabulary.ts';
import { filtersOf, oneOf, unknownIn } from '../../address/filters.ts';
import { periodIn } from '../../address/period.ts';
import { useSearch } from '../../address/use-search.ts';
import type { Fault } from '../../api/fault.ts';
import { useGet } from '../../api/use-get.ts';
import { counted } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { NothingMatches } from '../../ui/empty.tsx';
import { KeysHint } from '../../ui/list/keys-hint.tsx';
import { ListNotes } from '../../ui/list/list-notes.tsx';
import { ToggleChoice } from '../../ui/list/toggle-choice.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { ControlList } from './control-list.tsx';
import { ControlSheet } from './control-sheet.tsx';
import { gapsFirst, openOf, STATUSES_DOWN } from './controls-order.ts';
import { FrameworksTile } from './frameworks-tile.tsx';

const FILTERS = ['framework', 'status'] as const;
/** All controls of all frameworks. */
const MAX_CONTROLS = 100;

function addressOf(search: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const changed = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes))
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  const text = changed.toString();
  return text === '' ? '/controls' : `/controls?${text}`;
}

interface ControlListProps {
  readonly shown: Pick<
    UseQueryResult<AnswerOf<typeof listAttestations>, Fault>,
    'data' | 'error' | 'isPlaceholderData'
  >;
  /** Null: all. */
  readonly status: ControlStatus | null;
  readonly open: string | null;
  readonly addressOf: (open: string) => string;
  readonly onClose: () => void;
  readonly onClear: () => void;
}

/** The list, with the open control next to it. */
function ListWithSheet({ shown, status, open, addressOf: to, onClose, onClear }: ControlListProps) {
  const { data, error, isPlaceholderData } = shown;
  const all = gapsFirst(data?.data ?? []);
  const rows = status === null ? all : all.filter((one) => one.status === status);
  const control = all.find((one) => openOf(one) === open);
  return (
    <div className="beside" data-open={control !== undefined}>
      <div className="list" data-stale={isPlaceholderData}>
        {data === undefined && error === null && (
          <p className="muted" role="status">
            Loading…
          </p>
        )}
        {data !== undefined && rows.length === 0 && (
          <NothingMatches>
            <Button className="button" onPress={onClear}>
              Clear filters
            </Button>
          </NothingMatches>
        )}
        {rows.length > 0 && <ControlList rows={rows} open={open} addressOf={to} />}
        {data !== undefined && data.pagination.total > data.data.length && (
          <p className="muted">Showing the first {data.data.length}. Choose a framework to see more.</p>
        )}
        <p>
          <KeysHint />
        </p>
      </div>
      {control !== undefined && <ControlSheet key={control.id} control={control} onClose={onClose} />}
      {control === undefined && open !== null && data !== undefined && (
        <p className="stale-note" role="status">
          Control {open} isn’t in this list.
        </p>
      )}
    </div>
  );
}

/** What the evidence says about each control, gaps first. */
export function Page() {
  const { search, change, clear } = useSearch();
  const filters = filtersOf(FILTERS, search);
  const framework = oneOf(filters.framework, FRAMEWORKS);
  const status = oneOf(filters.status, CONTROL_STATUSES);
  const period = periodIn(search, Date.now(), null);
  const open = search.get('open');
  const coverage = useGet(getCoverage, { period });
  const shown = useGet(listAttestations, {
    query: { framework: filters.framework, limit: MAX_CONTROLS },
    period,
  });
  const { data, error, dataUpdatedAt, refetch } = shown;
  const all = data?.data ?? [];
  const rows = status === null ? all : all.filter((control) => control.status === status);
  return (
    <>
      <header className="page-head">
        <h1>Controls</h1>
        <span role="status">{data === undefined ? '' : counted(rows.length, 'control')}</span>
        <PeriodChoice period={period} byDefault={null} onChoose={change} />
      </header>
      <p className="page-intro muted">
        Based on language-model activity only; not a certification. Control titles are paraphrased.
      </p>
      <div className="tiles control-tiles">
        <FrameworksTile
          query={coverage}
          framework={framework}
          status={status}
          filters={{ ...filters, range: search.get('range') ?? undefined }}
          dates={{ from: search.get('from') ?? undefined, to: search.get('to') ?? undefined }}
        />
      </div>
      <div className="list-bar">
        <ToggleChoice
          label="Status"
          chosen={status}
          onChoose={(chosen) => change({ status: chosen })}
          options={STATUSES_DOWN.map((value) => {
            const count = data === undefined ? undefined : all.filter((one) => one.status === value).length;
            return { value, count, shown: `${label('controlStatus', value)} ${count ?? '…'}` };
          })}
        />
      </div>
      <ListNotes
        unknown={unknownIn(FILTERS, search)}
        error={error}
        dataUpdatedAt={dataUpdatedAt}
        onRefresh={() => void refetch()}
      />
      <ListWithSheet
        shown={shown}
        status={status}
        open={open}
        addressOf={(chosen) => addressOf(search, { open: chosen })}
        onClose={() => change({ open: null })}
        onClear={clear}
      />
    </>
  );
}
