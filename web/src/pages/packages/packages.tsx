import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import { downloadPackage, listPackages, listSigningKeys } from '#schemas/endpoints.ts';
import { PACKAGE_STATUSES } from '#schemas/vocabulary.ts';
import { withFilter } from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { type ListQuery, useList } from '../../api/use-list.ts';
import { counted } from '../../format/numbers.ts';
import { inSentence, label } from '../../labels/label.ts';
import { NothingMatches } from '../../ui/empty.tsx';
import { HowToVerify } from '../../ui/evidence/how-to-verify.tsx';
import { PackageDownload } from '../../ui/evidence/package-download.tsx';
import { PackageFacts } from '../../ui/evidence/package-facts.tsx';
import { VerifierKeys } from '../../ui/evidence/verifier-keys.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';
import { NewPackageForm } from './new-package-form.tsx';

/** Poll interval while a package is in progress. */
const POLL_MS = 1_000;

const whileMade = (rows: readonly EvidencePackage[]): number | null =>
  rows.some(({ status }) => status === 'GENERATING') ? POLL_MS : null;

const ENDED = { READY: false, GENERATING: false, FAILED: true, EXPIRED: true } as const;

function Packages({
  query,
  status,
}: {
  readonly query: ListQuery<typeof listPackages>;
  readonly status: string | null;
}) {
  return (
    <Tile title="Packages" query={query} size="full">
      {({ rows, total }) => {
        const shown = rows.filter((one) => status === null || one.status === status);
        if (total === 0) return <p>No packages yet. Create one above.</p>;
        return (
          <>
            {shown.length === 0 && <NothingMatches />}
            {status !== null && (
              <p className="muted">
                Showing {shown.length} of {counted(rows.length, 'package')} (
                {inSentence(label('packageStatus', status))}).
              </p>
            )}
            <ul className="records">
              {shown.map((one) => (
                <li key={one.id} className="record" data-ended={ENDED[one.status]}>
                  <header>
                    <h3>{label('framework', one.framework)}</h3>
                    <span className="plan">{label('packageStatus', one.status)}</span>
                  </header>
                  <PackageFacts one={one} />
                  {one.status === 'READY' && <PackageDownload one={one} endpoint={downloadPackage} />}
                </li>
              ))}
            </ul>
            <MoreRows unit="package" query={query} />
          </>
        );
      }}
    </Tile>
  );
}

/** Archives of evidence that can be verified without the service. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const query = useList(listPackages, { pollMs: whileMade });
  const keys = useGet(listSigningKeys);
  const [requested, setRequested] = useState<{ readonly id: string; readonly isNew: boolean } | null>(null);
  const status = PACKAGE_STATUSES.find((one) => one === search.get('status')) ?? null;
  return (
    <>
      <header className="page-head">
        <h1>Evidence packages</h1>
        <label className="inline-field">
          <span>Status</span>
          <select
            value={status ?? ''}
            onChange={({ target }) => setSearch((former) => withFilter(former, 'status', target.value))}
          >
            <option value="">All</option>
            {PACKAGE_STATUSES.map((one) => (
              <option key={one} value={one}>
                {label('packageStatus', one)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <NewPackageForm
        onRequested={({ id }) =>
          setRequested({ id, isNew: !(query.data?.rows ?? []).some((one) => one.id === id) })
        }
      />
      <p role="status" className="said">
        {requested !== null &&
          (requested.isNew
            ? 'Requested. The package is being created.'
            : 'An identical package already exists.')}
      </p>
      <div className="tiles">
        <Packages query={query} status={status} />
        <Tile title="How to verify a package" query={keys} size="full">
          {({ data }) => (
            <>
              <HowToVerify />
              <VerifierKeys keys={data} />
            </>
          )}
        </Tile>
      </div>
    </>
  );
}
