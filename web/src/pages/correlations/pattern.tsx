import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { confidenceText, groupText, patternText } from '../../labels/pattern-text.ts';
import { Level } from '../../ui/level.tsx';
import { Time } from '../../ui/time.tsx';
import { measureOf } from './patterns.ts';
import { TimeLine } from './time-line.tsx';

/** The observed and the expected value, to scale. */
function AgainstBaseline({
  pattern: { type, observed, baseline },
}: {
  readonly pattern: Pick<ShownPattern, 'type' | 'observed' | 'baseline'>;
}) {
  const most = Math.max(observed, baseline, Number.MIN_VALUE);
  return (
    <dl className="against">
      {(
        [
          ['Observed', observed],
          ['Expected', baseline],
        ] as const
      ).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className="bar" style={{ inlineSize: `${(100 * value) / most}%` }} />
            {measureOf(type, value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One pattern: its sentence, its numbers, and its signals. */
export function Pattern({ pattern }: { readonly pattern: ShownPattern }) {
  const { type, status, score, count, riskLevel, test, pValue } = pattern;
  return (
    <>
      <p className="sheet-summary">
        <Level level={riskLevel} />
        <span className="plan">{label('patternType', type)}</span>
        <span className="plan">{label('patternStatus', status)}</span>
      </p>
      <p className="prose">{patternText(pattern)}</p>
      <section aria-label="Details">
        <h3>Details</h3>
        <AgainstBaseline pattern={pattern} />
        <dl className="facts">
          <div>
            <dt>Confidence</dt>
            <dd title={`Score ${score.toFixed(2)}`}>{confidenceText(score)}</dd>
          </div>
          <div>
            <dt>Signals</dt>
            <dd>{exactNumber(count)}</dd>
          </div>
          <div>
            <dt>Group</dt>
            <dd>{groupText(pattern)}</dd>
          </div>
          <div>
            <dt>Time window</dt>
            <dd>
              <Time at={pattern.windowStart} /> to <Time at={pattern.windowEnd} />
            </dd>
          </div>
          <div>
            <dt>Statistics</dt>
            <dd>
              {test}, p = {pValue.toPrecision(2)}
            </dd>
          </div>
        </dl>
      </section>
      <TimeLine pattern={pattern} />
    </>
  );
}

/** The patterns of a scan, each opened separately. */
export function Patterns({ patterns }: { readonly patterns: readonly ShownPattern[] }) {
  return (
    <section aria-label="Patterns">
      <h3>{counted(patterns.length, 'pattern')}, by confidence</h3>
      {patterns.map((pattern) => (
        <details key={pattern.id} className="pattern">
          <summary>
            <Level level={pattern.riskLevel} /> {label('patternType', pattern.type)}{' '}
            <span className="muted">{`Confidence: ${confidenceText(pattern.score)}`}</span>
            <span className="prose">{patternText(pattern)}</span>
          </summary>
          <Pattern pattern={pattern} />
        </details>
      ))}
    </section>
  );
}
