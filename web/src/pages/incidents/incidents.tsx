import { Button } from 'react-aria-components';
import { listIncidents } from '#schemas/endpoints.ts';
import { INCIDENT_STATUSES, RISK_LEVELS } from '#schemas/vocabulary.ts';
import { filtersOf, oneOf, unknownIn } from '../../address/filters.ts';
import { useSearch } from '../../address/use-search.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { NothingMatches } from '../../ui/empty.tsx';
import { KeysHint } from '../../ui/list/keys-hint.tsx';
import { ListNotes } from '../../ui/list/list-notes.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { DueNext } from './due-next.tsx';
import { IncidentList } from './incident-list.tsx';
import { IncidentSheet } from './incident-sheet.tsx';
import { NewIncident } from './new-incident.tsx';
import { StateBar } from './state-bar.tsx';
import { useByState } from './use-incidents.ts';

const FILTERS = ['status', 'severity', 'signalId'] as const;
/** `tab=new`: the form that opens an incident on the signal `signalId`. */
const NEW = 'new';

function addressOf(search: URLSearchParams, id: string): string {
  const changed = new URLSearchParams(search);
  changed.delete('tab');
  changed.set('open', id);
  return `/incidents?${changed}`;
}

const NoneYet = () => (
  <div className="empty">
    <p>No incidents. Create one from a signal, or let an enforced policy do it.</p>
  </div>
);

const SignalChip = ({ signalId, onRemove }: { readonly signalId: string; readonly onRemove: () => void }) => (
  <p className="list-bar">
    <span className="chip">
      Signal: {signalId}
      <Button className="chip-close" aria-label="Remove filter Signal" onPress={onRemove}>
        ×
      </Button>
    </span>
  </p>
);

export function Page() {
  const { search, change, clear } = useSearch();
  const filters = filtersOf(FILTERS, search);
  const status = oneOf(filters.status, INCIDENT_STATUSES);
  const severity = oneOf(filters.severity, RISK_LEVELS);
  const [open, isNew] = [search.get('open'), search.get('tab') === NEW];
  const byState = useByState(severity, filters.signalId);
  const query = useList(listIncidents, { query: filters });
  const { data, error, dataUpdatedAt } = query;
  const [rows, total] = [data?.rows ?? [], data?.total];
  const refresh = (): void => void query.refetch();
  const hasSheet = open !== null || isNew;
  return (
    <>
      <header className="page-head">
        <h1>Incidents</h1>
        <span role="status">{total === undefined ? '' : counted(total, 'incident')}</span>
        <Button className="button" isDisabled={query.isFetching} onPress={refresh}>
          Refresh
        </Button>
        <Button className="button primary" onPress={() => change({ tab: NEW, open: null })}>
          New incident
        </Button>
      </header>
      <StateBar totals={byState.data?.totals} status={status} severity={severity} onChange={change} />
      {filters.signalId !== undefined && !isNew && (
        <SignalChip signalId={filters.signalId} onRemove={() => change({ signalId: null })} />
      )}
      <ListNotes
        unknown={unknownIn(FILTERS, search)}
        error={error}
        dataUpdatedAt={dataUpdatedAt}
        onRefresh={refresh}
      />
      <div className="beside" data-open={hasSheet}>
        <div className="list">
          <DueNext query={byState} addressOf={(id) => addressOf(search, id)} />
          {total === 0 && Object.keys(filters).length === 0 && <NoneYet />}
          {total === 0 && Object.keys(filters).length > 0 && (
            <NothingMatches>
              <Button className="button" onPress={clear}>
                Clear filters
              </Button>
            </NothingMatches>
          )}
          {rows.length > 0 && (
            <IncidentList rows={rows} open={open} addressOf={(id) => addressOf(search, id)} />
          )}
          {rows.length < (total ?? 0) && <MoreRows unit="incident" query={query} />}
          <p>
            <KeysHint />
          </p>
        </div>
        {open !== null && <IncidentSheet key={open} id={open} onClose={() => change({ open: null })} />}
        {open === null && isNew && (
          <NewIncident
            key={filters.signalId ?? ''}
            signalId={filters.signalId ?? ''}
            onClose={() => change({ tab: null, signalId: null })}
            onOpened={({ id }) => change({ tab: null, signalId: null, open: id })}
          />
        )}
      </div>
    </>
  );
}
