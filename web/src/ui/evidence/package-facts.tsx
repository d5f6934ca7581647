import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { byteSize } from '../../format/sizes.ts';
import { Time } from '../time.tsx';

/** What a package contains, its progress, and the hash of its file. */
export function PackageFacts({ one }: { readonly one: EvidencePackage }) {
  const { id, status, progress, startDate, endDate, sizeBytes, sha256, createdAt, expiresAt } = one;
  const holds = [one.includeIncidents && 'incidents', one.includeHashChain && 'ledger proofs'].filter(
    (what) => what !== false,
  );
  return (
    <>
      {status === 'GENERATING' && (
        <div>
          <progress value={progress} max={1} aria-label={`Progress of package ${id}`} />
          <span className="muted">{percent(progress)} created</span>
        </div>
      )}
      {one.failure !== null && <p className="field-error">{one.failure}</p>}
      <dl className="facts">
        <div>
          <dt>From</dt>
          <dd>
            <Time at={startDate} />
          </dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>
            <Time at={endDate} />
          </dd>
        </div>
        <div>
          <dt>Contents</dt>
          <dd>{['signals', 'controls', ...holds].join(', ')}</dd>
        </div>
        {sizeBytes !== null && (
          <div>
            <dt>Size</dt>
            <dd title={`${exactNumber(sizeBytes)} bytes`}>{byteSize(sizeBytes)}</dd>
          </div>
        )}
        {sha256 !== null && (
          <div>
            <dt>SHA-256</dt>
            <dd>
              <code>{sha256}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>Requested</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>{status === 'EXPIRED' ? 'Expired' : 'Expires'}</dt>
          <dd>
            <Time at={expiresAt} withAge={status !== 'EXPIRED'} />
          </dd>
        </div>
      </dl>
    </>
  );
}
