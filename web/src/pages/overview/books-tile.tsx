import { getReconciliation } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { Amount } from '../../ui/amount.tsx';
import { CountLink } from '../../ui/count-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { AUDIT_STATES } from './audit-states.ts';

/** Whether every accepted audit is accounted for. */
export function BooksTile() {
  const books = useGet(getReconciliation);
  return (
    <Tile title="Books, of all time" query={books} freshnessOf={(answer) => answer}>
      {(answer) => (
        <>
          <Verdict isGood={answer.balanced}>
            {answer.balanced
              ? 'Balanced'
              : `Not balanced: ${answer.difference} differ, ${answer.missing} missing`}
          </Verdict>
          <dl className="facts">
            <div>
              <dt>audits accepted</dt>
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
