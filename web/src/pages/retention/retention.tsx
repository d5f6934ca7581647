import type { RetentionStatus } from '#schemas/api/evidence/retention/status.ts';
import { getRetentionStatus } from '#schemas/endpoints.ts';

import { useGet } from '../../api/use-get.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { Amount } from '../../ui/amount.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { EraseSignal } from './erase-signal.tsx';
import { Policies } from './policies.tsx';

function LastRun({ run }: { readonly run: RetentionStatus['lastRun'] }) {
  if (run === null) return <>never</>;
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
          : `${counted(overdue, 'signal')} overdue by two days or more: kept by a hold or an open incident, or runs are falling behind`}
      </Verdict>
      <dl className="facts">
        <div>
          <dt>Signals</dt>
          <dd>
            <Amount value={totalSignals} />
          </dd>
        </div>
        <div>
          <dt>Oldest signal</dt>
          <dd>{oldestSignalAt === null ? 'none' : <Time at={oldestSignalAt} withAge />}</dd>
        </div>
        <div>
          <dt>Due in next run</dt>
          <dd>
            <Amount value={sum('eligible')} />
          </dd>
        </div>
        <div>
          <dt>Legal holds</dt>
          <dd>
            <Amount value={legalHolds} />
          </dd>
        </div>
        <div>
          <dt>Erased (all time)</dt>
          <dd>
            <Amount value={erasedTotal} />
          </dd>
        </div>
        <div>
          <dt>Last run</dt>
          <dd>
            <LastRun run={lastRun} />
          </dd>
        </div>
      </dl>
    </>
  );
}

/** How long signals are kept, legal holds, and erasure of one signal. */
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
              <p className="muted">Policies run daily.</p>
            </>
          )}
        </Tile>
        <Policies status={status.data?.data ?? null} />
        <EraseSignal />
      </div>
    </>
  );
}
