import { Button } from 'react-aria-components';
import { type Period, periodQuery } from '../../address/period.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { refusalText } from './refusals.ts';
import { lookedAt, type ReplayFilter, type ReplayProgress } from './replay-run.ts';
import { useReplay } from './use-replay.ts';

function Progress({
  progress,
  isRunning,
}: {
  readonly progress: ReplayProgress;
  readonly isRunning: boolean;
}) {
  const seen = lookedAt(progress);
  const skipped = Object.entries(progress.skipped);
  return (
    <div className="report">
      <progress aria-label="Dead letters looked at" max={Math.max(progress.matched, seen, 1)} value={seen} />
      <p role="status">
        {counted(seen, 'dead letter')} of {exactNumber(progress.matched)} looked at,{' '}
        <strong>{exactNumber(progress.replayed)} replayed</strong>
        {isRunning && ', going on'}
      </p>
      {skipped.length > 0 && (
        <ul className="plain">
          {skipped.map(([reason, count]) => (
            <li key={reason}>
              {exactNumber(count)} skipped: {refusalText(reason)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ReplayPanelProps {
  readonly filters: ReplayFilter;
  readonly period: Period;
  /** What is replayed, in words. */
  readonly what: string;
}

/** Replays what the list's filters match: counted first, confirmed by its number, and followed to its end. */
export function ReplayPanel({ filters, period, what }: ReplayPanelProps) {
  const { state, count, confirm, goOn, stop, leave } = useReplay(() => ({
    ...filters,
    ...periodQuery(period, Date.now()),
  }));
  const progress = 'progress' in state ? state.progress : null;
  return (
    <section className="card replay" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay {what}</h2>
      <p className="muted">
        The audit is analysed again from its sealed text and keeps its id. Dead letters are kept for 14 days.
      </p>
      {state.kind === 'counted' && (
        <p role="status">
          {state.isOther && 'The number changed meanwhile. '}
          <strong>{counted(state.matched, 'dead letter')}</strong> {state.matched === 1 ? 'matches' : 'match'}
          . Nothing was replayed.
        </p>
      )}
      {progress !== null && <Progress progress={progress} isRunning={state.kind === 'running'} />}
      {state.kind === 'done' && (
        <p>
          Done. <PageLink to="/audits?status=PROCESSING">Audits that are under way</PageLink>
        </p>
      )}
      {state.kind === 'failed' && <FaultNote fault={state.fault} />}
      <div className="buttons">
        {state.kind === 'counted' && state.matched > 0 && (
          <Button className="button primary" onPress={() => confirm(state.matched)}>
            Replay {counted(state.matched, 'dead letter')}
          </Button>
        )}
        {state.kind === 'running' && (
          <Button className="button" onPress={stop}>
            Stop
          </Button>
        )}
        {(state.kind === 'stopped' || state.kind === 'failed') && progress !== null && (
          <Button className="button primary" onPress={goOn}>
            Go on
          </Button>
        )}
        {state.kind !== 'running' && (
          <Button className="button" isDisabled={state.kind === 'counting'} onPress={count}>
            {state.kind === 'counting' ? 'Counting' : 'Count what matches'}
          </Button>
        )}
        {(state.kind === 'counted' || state.kind === 'done') && (
          <Button className="button" onPress={leave}>
            {state.kind === 'done' ? 'Close' : 'Leave it'}
          </Button>
        )}
      </div>
    </section>
  );
}
