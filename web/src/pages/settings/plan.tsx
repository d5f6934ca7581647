import { useId } from 'react';
import type { Usage } from '#schemas/api/accounts/usage.ts';
import { getUsage } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { monthName } from '../../format/times.ts';
import { label } from '../../labels/label.ts';
import { Tile } from '../../ui/tile.tsx';

interface UsedProps {
  readonly name: string;
  readonly used: Usage['audits'];
  readonly note: string;
}

/** Share from which the page warns that the limit is near. */
const SOON = 0.8;

function Used({ name, used: { used, quota }, note }: UsedProps) {
  const id = useId();
  const share = quota === null || quota === 0 ? null : used / quota;
  return (
    <div className="used">
      <h3 id={id}>{name}</h3>
      <p>
        <strong>{exactNumber(used)}</strong> {quota === null ? '· no limit' : `of ${exactNumber(quota)}`}
        {share !== null && <span className="muted"> ({percent(share)})</span>}
      </p>
      {quota !== null && (
        <progress aria-labelledby={id} max={Math.max(quota, 1)} value={Math.min(used, Math.max(quota, 1))} />
      )}
      {share !== null && share >= SOON && (
        <p className="stale-note">
          {share >= 1 ? `Limit reached: new ${name.toLowerCase()} are rejected.` : 'You’re near your limit.'}{' '}
          Contact your administrator.
        </p>
      )}
      <p className="muted">{note}</p>
    </div>
  );
}

/** The plan's limits, and their use. */
export function Plan() {
  const usage = useGet(getUsage);
  return (
    <Tile title="Plan and usage" query={usage}>
      {({ data: { plan, period, audits, sandboxes, rate, burst } }) => (
        <>
          <p className="headline">{label('plan', plan)}</p>
          <Used name="Audits" used={audits} note={`Accepted in ${monthName(period)} (UTC).`} />
          <Used name="Sandboxes" used={sandboxes} note="Deleted sandboxes don’t count." />
          <p>
            Rate limit: {exactNumber(rate)} requests/s, burst {exactNumber(burst)}.{' '}
            <span className="muted">Shared by all API keys. The dashboard has its own limit.</span>
          </p>
        </>
      )}
    </Tile>
  );
}
