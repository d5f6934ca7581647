import { auditPackageDownload, type auditPackages } from '#schemas/endpoints.ts';
import type { ListQuery } from '../../api/use-list.ts';
import { label } from '../../labels/label.ts';
import { HowToVerify } from '../../ui/evidence/how-to-verify.tsx';
import { PackageDownload } from '../../ui/evidence/package-download.tsx';
import { PackageFacts } from '../../ui/evidence/package-facts.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';

/** Packages that the token shows. The customer creates them; an auditor downloads them. */
export function Packages({ query }: { readonly query: ListQuery<typeof auditPackages> }) {
  return (
    <Tile title="Evidence packages" query={query} size="full">
      {({ rows, total }) => (
        <>
          <ul className="records">
            {rows.map((one) => (
              <li key={one.id} className="record" data-ended={one.status !== 'READY'}>
                <header>
                  <h3>{label('framework', one.framework)}</h3>
                  <span className="plan">{label('packageStatus', one.status)}</span>
                </header>
                <PackageFacts one={one} />
                {one.status === 'READY' && <PackageDownload one={one} endpoint={auditPackageDownload} />}
              </li>
            ))}
          </ul>
          {total === 0 ? (
            <p>No packages yet. The customer requests them.</p>
          ) : (
            <>
              <MoreRows unit="package" query={query} />
              <HowToVerify />
            </>
          )}
        </>
      )}
    </Tile>
  );
}
