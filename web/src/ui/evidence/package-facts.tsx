import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { byteSize } from '../../format/sizes.ts';
import { Time } from '../time.tsx';

/** What a package is of, how far it is, and how a download of it is known. */
export function PackageFacts({ one }: { readonly one: EvidencePackage }) {
  const { id, status, progress, startDate, endDate, sizeBytes, sha256, createdAt, expiresAt } = one;
  const holds = [one.includeIncidents && 'incidents', one.includeHashChain && 'hash chain'].filter(
    (what) => what !== false,
  );
  return (
    <>
      {status === 'GENERATING' && (
        <div>
          <progress value={progress} max={1} aria-label={`Progress of the package ${id}`} />
          <span className="muted">{percent(progress)} made</span>
        </div>
      )}
      {one.failure !== null && <p className="field-error">{one.failure}</p>}
      <dl className="facts">
        <div>
          <dt>from</dt>
          <dd>
            <Time at={startDate} />
          </dd>
        </div>
        <div>
          <dt>to</dt>
          <dd>
            <Time at={endDate} />
          </dd>
        </div>
        <div>
          <dt>with</dt>
          <dd>{['signals', 'controls', ...holds].join(', ')}</dd>
        </div>
        {sizeBytes !== null && (
          <div>
            <dt>size</dt>
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
          <dt>asked for</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>{status === 'EXPIRED' ? 'expired' : 'expires'}</dt>
          <dd>
            <Time at={expiresAt} withAge={status !== 'EXPIRED'} />
          </dd>
        </div>
      </dl>
    </>
  );
}
