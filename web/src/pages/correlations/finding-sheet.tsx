import { useQuery } from '@tanstack/react-query';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { getCorrelation, listCorrelations } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Progress } from '../../ui/progress.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { Pattern, Patterns } from './pattern.tsx';

const POLL_MS = 1_000;
const REFRESH_MS = 60_000;

/** A scan in progress is polled often; a real-time pattern seldom changes. */
function useFinding(id: string) {
  const api = useApi();
  return useQuery<ShownCorrelationRun, Fault>({
    queryKey: [listCorrelations.path, 'one', id],
    queryFn: async ({ signal }) => (await api.call(getCorrelation, { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.source === 'RUN' && data.status === 'RUNNING' ? POLL_MS : REFRESH_MS,
  });
}

function Run({ run }: { readonly run: ShownCorrelationRun }) {
  const { status, progress, analyzedSignals, totalSignals, patterns, patternsLeftOut, failure } = run;
  const { startDate, endDate, sandboxSlug, windowMinutes, minSignals, dimensions } = run.parameters;
  return (
    <>
      {status === 'RUNNING' && (
        <Progress label="Scanned" share={progress}>
          {`, ${exactNumber(analyzedSignals)} of ${exactNumber(totalSignals)} signals`}
        </Progress>
      )}
      {status === 'FAILED' && (
        <Verdict isGood={false}>The scan failed: {failure ?? 'start another one'}</Verdict>
      )}
      <dl className="facts">
        <div>
          <dt>Time range</dt>
          <dd>
            <Time at={startDate} /> to <Time at={endDate} />
          </dd>
        </div>
        <div>
          <dt>Sandbox</dt>
          <dd>{sandboxSlug ?? 'All sandboxes'}</dd>
        </div>
        <div>
          <dt>Signals</dt>
          <dd>
            {exactNumber(analyzedSignals)} of {exactNumber(totalSignals)}
          </dd>
        </div>
        <div>
          <dt>Time window</dt>
          <dd>{windowMinutes} min</dd>
        </div>
        <div>
          <dt>Minimum signals</dt>
          <dd>{exactNumber(minSignals)}</dd>
        </div>
        <div>
          <dt>Group by</dt>
          <dd>{dimensions.map((one) => label('dimension', one)).join(', ')}</dd>
        </div>
      </dl>
      {patterns !== null && <Patterns patterns={patterns} />}
      {patternsLeftOut > 0 && (
        <p className="muted">{counted(patternsLeftOut, 'pattern')} with lower confidence not kept.</p>
      )}
    </>
  );
}

/** One pattern, or one scan with its patterns. */
export function FindingSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useFinding(id);
  const title = data?.source === 'RUN' ? 'History scan' : 'Pattern';
  return (
    <SideSheet title={title} onClose={onClose}>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {data === undefined && error === null && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {data?.source === 'STREAM' &&
        data.patterns?.map((pattern) => <Pattern key={pattern.id} pattern={pattern} />)}
      {data !== undefined && data.source !== 'STREAM' && <Run run={data} />}
    </SideSheet>
  );
}
