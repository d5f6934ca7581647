import type { getReconciliation, Reconciliation } from '#schemas/api/dashboard.ts';
import { useGet } from '../../api/use-get.ts';
import { Amount } from '../../ui/amount.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Verdict } from '../../ui/verdict.tsx';

/** States that the accepted audits are in, with where they are listed. */
const STATES: readonly [name: keyof Reconciliation & string, label: string, to: string][] = [
  ['stored', 'stored', '/signals'],
  ['inFlight', 'in flight', '/audits?status=PROCESSING'],
  ['retrying', 'retrying', '/audits?status=PROCESSING'],
  ['deadLettered', 'dead letters', '/dead-letters'],
  ['erased', 'erased', '/retention'],
];

/** Whether every accepted audit is accounted for. */
export function BooksTile() {
  const books = useGet<typeof getReconciliation>('/dashboard/books');
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
              <dt>accepted</dt>
              <dd>
                <Amount value={answer.accepted} />
              </dd>
            </div>
            {STATES.map(([name, label, to]) => (
              <div key={name}>
                <dt>
                  <PageLink to={to}>{label}</PageLink>
                </dt>
                <dd>
                  <Amount value={Number(answer[name])} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Tile>
  );
}
