import { useId } from 'react';
import type { Usage } from '#schemas/api/accounts/usage.ts';
import { getUsage } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { Tile } from '../../ui/tile.tsx';

interface UsedProps {
  readonly name: string;
  readonly used: Usage['audits'];
  readonly note: string;
}

/** From that share on it is said that little is left. */
const SOON = 0.8;

function Used({ name, used: { used, quota }, note }: UsedProps) {
  const id = useId();
  const share = quota === null || quota === 0 ? null : used / quota;
  return (
    <div className="used">
      <h3 id={id}>{name}</h3>
      <p>
        <strong>{exactNumber(used)}</strong> {quota === null ? 'used, unlimited' : `of ${exactNumber(quota)}`}
        {share !== null && <span className="muted"> ({percent(share)})</span>}
      </p>
      {quota !== null && (
        <progress aria-labelledby={id} max={Math.max(quota, 1)} value={Math.min(used, Math.max(quota, 1))} />
      )}
      {share !== null && share >= SOON && (
        <p className="stale-note">
          {share >= 1 ? 'Used up: more is refused.' : 'Little is left.'} A larger plan, or a higher quota,
          comes from the platform’s operators.
        </p>
      )}
      <p className="muted">{note}</p>
    </div>
  );
}

/** What the plan allows, and what of it is used. */
export function Plan() {
  const usage = useGet(getUsage);
  return (
    <Tile title="Plan and usage" query={usage}>
      {({ data: { plan, period, audits, sandboxes, rate, burst } }) => (
        <>
          <p className="headline">{plan}</p>
          <Used name="Audits" used={audits} note={`Accepted in ${period}; the month is that of UTC.`} />
          <Used name="Sandboxes" used={sandboxes} note="Deleted ones do not count." />
          <p>
            {exactNumber(rate)} requests a second, {exactNumber(burst)} at once.{' '}
            <span className="muted">
              All API keys share them. This page spends nothing of it: a session has a rate of its own.
            </span>
          </p>
        </>
      )}
    </Tile>
  );
}
