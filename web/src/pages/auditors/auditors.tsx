import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { listAuditors } from '#schemas/endpoints.ts';
import { withFilter } from '../../address/signal-filters.ts';
import { useList } from '../../api/use-list.ts';
import { label } from '../../labels/label.ts';
import { NothingMatches } from '../../ui/empty.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';
import { AuditorCard } from './auditor-card.tsx';
import { HandedOut, type MadeAuditor } from './handed-out.tsx';
import { NewAuditorForm } from './new-auditor-form.tsx';

const STATUSES = ['active', 'expired', 'revoked'] as const;

/** Auditors, what they may see, and until when. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const [made, setMade] = useState<MadeAuditor | null>(null);
  const query = useList(listAuditors);
  const status = STATUSES.find((one) => one === search.get('status')) ?? null;
  return (
    <>
      <header className="page-head">
        <h1>Auditors</h1>
        <label className="inline-field">
          <span>Status</span>
          <select
            value={status ?? ''}
            onChange={({ target }) => setSearch((former) => withFilter(former, 'status', target.value))}
          >
            <option value="">All</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {label('accessStatus', one)}
              </option>
            ))}
          </select>
        </label>
      </header>
      {made !== null && <HandedOut auditor={made} onDone={() => setMade(null)} />}
      <NewAuditorForm onMade={setMade} />
      <Tile title="Auditor access" query={query} size="full">
        {({ rows, total }) => {
          const shown = rows.filter((one) => status === null || one.status === status);
          if (total === 0) return <p>No auditors yet. Access is read-only and needs no account.</p>;
          return (
            <>
              {shown.length === 0 && <NothingMatches />}
              <ul className="records">
                {shown.map((auditor) => (
                  <AuditorCard key={auditor.id} auditor={auditor} />
                ))}
              </ul>
              <MoreRows unit="auditor" query={query} />
            </>
          );
        }}
      </Tile>
    </>
  );
}
