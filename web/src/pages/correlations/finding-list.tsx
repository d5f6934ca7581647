import type { ShownCorrelationRun, ShownPattern } from '#schemas/api/evidence/correlations.ts';
import { counted, percent } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { confidenceText, patternText } from '../../labels/pattern-text.ts';
import { Level } from '../../ui/level.tsx';
import { useRowKeys } from '../../ui/list/use-row-keys.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { measureOf, type Row } from './patterns.ts';

interface FindingListProps {
  readonly rows: readonly Row[];
  readonly open: string | null;
  readonly addressOf: (id: string) => string;
}

function PatternRow({ pattern }: { readonly pattern: ShownPattern }) {
  const { type, riskLevel, score, status, observed, baseline, lastSeen } = pattern;
  return (
    <>
      <span className="finding-head">
        <Level level={riskLevel} />
        <strong>{label('patternType', type)}</strong>
        <span className="plan">{label('patternStatus', status)}</span>
      </span>
      <span className="finding-score" title={`Score ${score.toFixed(2)}`}>
        <span className="bar" style={{ inlineSize: `${100 * score}%` }} />
        {`Confidence: ${confidenceText(score)}`}
      </span>
      <span>{patternText(pattern)}</span>
      <span className="muted">
        {measureOf(type, observed)} seen, {measureOf(type, baseline)} expected · last <Time at={lastSeen} />
      </span>
    </>
  );
}

function RunRow({ run }: { readonly run: ShownCorrelationRun }) {
  const { status, progress, patternCount, analyzedSignals, parameters, createdAt } = run;
  return (
    <>
      <span className="finding-head">
        <strong>History scan</strong>
        <span className="plan">{label('runStatus', status)}</span>
      </span>
      <span className="muted">
        <Time at={createdAt} />
      </span>
      <span>
        {patternCount === null
          ? `${percent(progress)} scanned`
          : `${counted(patternCount, 'pattern')} in ${counted(analyzedSignals, 'signal')}`}{' '}
        · {parameters.sandboxSlug ?? 'All sandboxes'}
      </span>
      <span className="muted">
        <Time at={parameters.startDate} /> to <Time at={parameters.endDate} />
      </span>
    </>
  );
}

export function FindingList({ rows, open, addressOf }: FindingListProps) {
  const list = useRowKeys<HTMLUListElement>();
  return (
    <ul className="list-rows" ref={list} aria-label="Patterns and scans">
      {rows.map(({ run, pattern }) => (
        <li key={run.id}>
          <PageLink to={addressOf(run.id)} className="list-row finding-row" isRow isCurrent={run.id === open}>
            {pattern === null ? <RunRow run={run} /> : <PatternRow pattern={pattern} />}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
