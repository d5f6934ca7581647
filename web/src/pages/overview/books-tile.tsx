import type { Reconciliation } from '#schemas/api/dashboard.ts';
import { getReconciliation } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { counted } from '../../format/numbers.ts';
import { Amount } from '../../ui/amount.tsx';
import { CountLink } from '../../ui/count-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { AUDIT_STATES } from './audit-states.ts';

/** Accepted audits without a state, and acknowledged ones that never reached the list, are different audits. */
function mismatchOf({ difference, missing, signalDifference }: Reconciliation): string {
  const audits = Math.abs(difference) + missing;
  if (audits > 0) return `${counted(audits, 'audit')} unaccounted for`;
  const signals = Math.abs(signalDifference);
  return signals > 0
    ? `${counted(signals, 'signal differs', 'signals differ')} from the ledger`
    : 'the audit list and the signals differ';
}

/** Whether every accepted audit is accounted for. */
export function ReconciliationTile() {
  const reconciliation = useGet(getReconciliation);
  return (
    <Tile title="Reconciliation" query={reconciliation} freshnessOf={(answer) => answer}>
      {(answer) => (
        <>
          <Verdict isGood={answer.balanced}>
            {answer.balanced ? 'Every audit accounted for' : `Mismatch: ${mismatchOf(answer)}`}
          </Verdict>
          <dl className="facts">
            <div>
              <dt>Audits accepted, all time</dt>
              <dd>
                <Amount value={answer.accepted} />
              </dd>
            </div>
            {AUDIT_STATES.map(({ state, label, filters }) => (
              <div key={state}>
                <dt>{label}</dt>
                <dd>
                  <CountLink
                    counted={{ list: '/audits', filters, dates: { from: undefined, to: answer.asOf } }}
                    count={answer[state]}
                  >
                    <Amount value={answer[state]} />
                  </CountLink>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Tile>
  );
}
