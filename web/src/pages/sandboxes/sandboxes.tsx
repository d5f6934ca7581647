import { Button } from 'react-aria-components';
import { listSandboxes } from '#schemas/endpoints.ts';
import { type ListAddress, useListAddress } from '../../address/use-list-address.ts';
import { useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { ListBody } from '../../ui/grid/list-body.tsx';
import { UnknownFilters } from '../../ui/unknown-filters.tsx';
import { COLUMNS } from './columns.tsx';
import { NewSandbox } from './form/new-sandbox.tsx';
import { OneSandbox } from './one-sandbox.tsx';

const FILTERS = ['includeDeleted'] as const;
const NEW = 'new';

function List({ address }: { readonly address: ListAddress<(typeof FILTERS)[number]> }) {
  const { filters, unknown, set, clear } = address;
  const query = useList(listSandboxes, { query: filters, isLong: true });
  const { data } = query;
  const label = data === undefined ? '' : counted(data.total, 'sandbox', 'sandboxes');
  return (
    <>
      <header className="page-head">
        <h1>Sandboxes</h1>
        <span role="status">{label}</span>
        <label className="inline-field">
          <input
            type="checkbox"
            checked={filters.includeDeleted === 'true'}
            onChange={({ target }) => set('includeDeleted', target.checked ? 'true' : null)}
          />
          Show deleted
        </label>
        <Button className="button primary" onPress={() => set('tab', NEW)}>
          New sandbox
        </Button>
      </header>
      <UnknownFilters names={unknown} />
      <ListBody
        query={query}
        label={label}
        columns={COLUMNS}
        open={null}
        onOpen={(id, how) => set('open', data?.rows.find((row) => row.id === id)?.slug ?? id, how)}
        isFiltered={false}
        onClear={clear}
        nothingYet={
          <div className="empty">
            <p>
              No sandboxes yet. A sandbox defines what to detect in audits and scans, and what to do about it.
            </p>
          </div>
        }
        sheet={null}
      />
    </>
  );
}

/** Sandboxes: what they detect, and what a match leads to. */
export function Page() {
  const address = useListAddress(FILTERS);
  const { search, open, set, clear } = address;
  if (open !== null)
    return (
      <>
        <header className="page-head">
          <h1>Sandbox</h1>
        </header>
        <OneSandbox key={open} slug={open} onLeave={clear} />
      </>
    );
  if (search.get('tab') === NEW)
    return (
      <>
        <header className="page-head">
          <h1>New sandbox</h1>
        </header>
        <NewSandbox onCreated={(slug) => address.go({ open: slug })} onLeave={() => set('tab', null)} />
      </>
    );
  return <List address={address} />;
}
