import { Button } from 'react-aria-components';
import { type Period, periodQuery } from '../../address/period.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { refusalText } from './refusals.ts';
import { processed, type ReplayFilter, type ReplayProgress } from './replay-run.ts';
import { useReplay } from './use-replay.ts';

function Progress({
  progress,
  isRunning,
}: {
  readonly progress: ReplayProgress;
  readonly isRunning: boolean;
}) {
  const seen = processed(progress);
  const skipped = Object.entries(progress.skipped);
  return (
    <div className="report">
      <progress aria-label="Failed audits scanned" max={Math.max(progress.matched, seen, 1)} value={seen} />
      <p role="status">
        {exactNumber(seen)} of {counted(progress.matched, 'failed audit')} scanned,{' '}
        <strong>{exactNumber(progress.replayed)} replayed</strong>
        {isRunning && ', in progress'}
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

/** Replays what matches the list's filters: counts first, asks to confirm the number, and shows the progress. */
export function ReplayPanel({ filters, period, what }: ReplayPanelProps) {
  const { state, count, confirm, resume, stop, leave } = useReplay(() => ({
    ...filters,
    ...periodQuery(period, Date.now()),
  }));
  const progress = 'progress' in state ? state.progress : null;
  return (
    <section className="card replay" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay {what}</h2>
      <p className="muted">
        Each audit is analyzed again from its encrypted text and keeps its ID. Failed audits are kept for 14
        days.
      </p>
      {state.kind === 'counted' && (
        <p role="status">
          {state.isOther && 'The number has changed. '}
          <strong>{counted(state.matched, 'failed audit')}</strong>{' '}
          {state.matched === 1 ? 'matches' : 'match'}. Nothing has been replayed yet.
        </p>
      )}
      {progress !== null && <Progress progress={progress} isRunning={state.kind === 'running'} />}
      {state.kind === 'done' && (
        <p>
          Done. <PageLink to="/audits?status=PROCESSING">View audits in progress</PageLink>
        </p>
      )}
      {state.kind === 'failed' && <FaultNote fault={state.fault} />}
      <div className="buttons">
        {state.kind === 'counted' && state.matched > 0 && (
          <Button className="button primary" onPress={() => confirm(state.matched)}>
            Replay {counted(state.matched, 'failed audit')}
          </Button>
        )}
        {state.kind === 'running' && (
          <Button className="button" onPress={stop}>
            Stop
          </Button>
        )}
        {(state.kind === 'stopped' || state.kind === 'failed') && progress !== null && (
          <Button className="button primary" onPress={resume}>
            Resume
          </Button>
        )}
        {state.kind !== 'running' && (
          <Button className="button" isDisabled={state.kind === 'counting'} onPress={count}>
            {state.kind === 'counting' ? 'Counting…' : 'Preview'}
          </Button>
        )}
        {(state.kind === 'counted' || state.kind === 'done') && (
          <Button className="button" onPress={leave}>
            {state.kind === 'done' ? 'Close' : 'Cancel'}
          </Button>
        )}
      </div>
    </section>
  );
}
