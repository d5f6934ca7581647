import type { RetentionStatus } from '#schemas/api/evidence/retention/status.ts';
import { getRetentionStatus, runRetention } from '#schemas/endpoints.ts';
import { serviceUrl } from '../../address/base-path.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber } from '../../format/numbers.ts';
import { Amount } from '../../ui/amount.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { EraseSignal } from './erase-signal.tsx';
import { Policies } from './policies.tsx';

function LastRun({ run }: { readonly run: RetentionStatus['lastRun'] }) {
  if (run === null) return <>none yet</>;
  return (
    <>
      <Time at={run.finishedAt} withAge />: {exactNumber(run.erased)} erased, {exactNumber(run.anonymized)}{' '}
      anonymized
      {run.held > 0 && `, ${exactNumber(run.held)} kept by open incidents`}
    </>
  );
}

function Numbers({ status }: { readonly status: RetentionStatus }) {
  const { totalSignals, oldestSignalAt, policies, legalHolds, lastRun, erasedTotal } = status;
  const sum = (name: 'eligible' | 'overdue'): number => policies.reduce((all, one) => all + one[name], 0);
  const overdue = sum('overdue');
  return (
    <>
      <Verdict isGood={overdue === 0}>
        {overdue === 0
          ? 'Nothing is overdue'
          : `${exactNumber(overdue)} overdue for two days: a hold or an open incident keeps them, or runs do not keep up`}
      </Verdict>
      <dl className="facts">
        <div>
          <dt>signals</dt>
          <dd>
            <Amount value={totalSignals} />
          </dd>
        </div>
        <div>
          <dt>the oldest</dt>
          <dd>{oldestSignalAt === null ? 'none' : <Time at={oldestSignalAt} withAge />}</dd>
        </div>
        <div>
          <dt>the next run takes</dt>
          <dd>
            <Amount value={sum('eligible')} />
          </dd>
        </div>
        <div>
          <dt>legal holds</dt>
          <dd>
            <Amount value={legalHolds} />
          </dd>
        </div>
        <div>
          <dt>erased, by whomever</dt>
          <dd>
            <Amount value={erasedTotal} />
          </dd>
        </div>
        <div>
          <dt>last run</dt>
          <dd>
            <LastRun run={lastRun} />
          </dd>
        </div>
      </dl>
    </>
  );
}

/** A run now is an operator's: it is one of all customers, and needs the secret of the platform. */
function RunNow() {
  return (
    <div className="how">
      <p className="muted">
        Policies run once a day by themselves. An operator runs those of all customers now, with the secret of
        the platform, which no page has:
      </p>
      <pre>
        <code>{`curl -X POST -H "x-internal-secret: $INTERNAL_SECRET" \\
  ${serviceUrl()}${runRetention.path}`}</code>
      </pre>
    </div>
  );
}

/** How long signals are kept, what keeps them longer, and how one of them goes. */
export function Page() {
  const status = useGet(getRetentionStatus);
  return (
    <>
      <header className="page-head">
        <h1>Retention</h1>
      </header>
      <div className="tiles">
        <Tile title="Status" query={status} size="full">
          {({ data }) => (
            <>
              <Numbers status={data} />
              <RunNow />
            </>
          )}
        </Tile>
        <Policies status={status.data?.data ?? null} />
        <EraseSignal />
      </div>
    </>
  );
}
