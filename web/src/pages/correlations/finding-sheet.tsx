import { useQuery } from '@tanstack/react-query';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { getCorrelation, listCorrelations } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { exactNumber } from '../../format/numbers.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Progress } from '../../ui/progress.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { Pattern, Patterns } from './pattern.tsx';

const LOOK_MS = 1_000;
const REFRESH_MS = 60_000;

/** A run that is under way is looked at often; a finding of the stream changes by itself, and seldom. */
function useFinding(id: string) {
  const api = useApi();
  return useQuery<ShownCorrelationRun, Fault>({
    queryKey: [listCorrelations.path, 'one', id],
    queryFn: async ({ signal }) => (await api.call(getCorrelation, { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.source === 'RUN' && data.status === 'RUNNING' ? LOOK_MS : REFRESH_MS,
  });
}

function Run({ run }: { readonly run: ShownCorrelationRun }) {
  const { status, progress, analyzedSignals, totalSignals, patterns, patternsLeftOut, failure } = run;
  const { startDate, endDate, sandboxSlug, windowMinutes, minSignals, dimensions } = run.parameters;
  return (
    <>
      {status === 'RUNNING' && (
        <Progress label="Looked at" share={progress}>
          {`, ${exactNumber(analyzedSignals)} of ${exactNumber(totalSignals)} signals`}
        </Progress>
      )}
      {status === 'FAILED' && (
        <Verdict isGood={false}>It came to no result: {failure ?? 'start another run'}</Verdict>
      )}
      <dl className="facts">
        <div>
          <dt>period</dt>
          <dd>
            <Time at={startDate} /> to <Time at={endDate} />
          </dd>
        </div>
        <div>
          <dt>sandbox</dt>
          <dd>{sandboxSlug ?? 'all'}</dd>
        </div>
        <div>
          <dt>signals</dt>
          <dd>
            {exactNumber(analyzedSignals)} of {exactNumber(totalSignals)}
          </dd>
        </div>
        <div>
          <dt>window</dt>
          <dd>{windowMinutes} min</dd>
        </div>
        <div>
          <dt>least signals</dt>
          <dd>{exactNumber(minSignals)}</dd>
        </div>
        <div>
          <dt>told apart by</dt>
          <dd>{dimensions.join(', ')}</dd>
        </div>
      </dl>
      {patterns !== null && <Patterns patterns={patterns} />}
      {patternsLeftOut > 0 && (
        <p className="muted">{exactNumber(patternsLeftOut)} less certain ones are not kept.</p>
      )}
    </>
  );
}

/** One finding, or one run with what it found. */
export function FindingSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useFinding(id);
  const title = data === undefined ? 'Finding' : data.source === 'RUN' ? 'Run over history' : 'Finding';
  return (
    <SideSheet title={title} onClose={onClose}>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {data === undefined && error === null && (
        <p className="muted" role="status">
          Loading
        </p>
      )}
      {data?.source === 'STREAM' &&
        data.patterns?.map((pattern) => <Pattern key={pattern.id} pattern={pattern} />)}
      {data !== undefined && data.source !== 'STREAM' && <Run run={data} />}
    </SideSheet>
  );
}
