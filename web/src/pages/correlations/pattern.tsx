import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';
import type { FindingStatus } from '#schemas/vocabulary.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { Level } from '../../ui/level.tsx';
import { Time } from '../../ui/time.tsx';
import { measureOf } from './patterns.ts';
import { TimeLine } from './time-line.tsx';

const STATUSES: Readonly<Record<FindingStatus, string>> = {
  OPEN: 'its window is still open, and it may grow',
  CLOSED: 'its window has ended, and it stays as it is',
  RETRACTED: 'it does not hold any more, or too many of its signals were erased',
};

/** What came beside what was to be expected, to scale. */
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
          ['came', observed],
          ['expected', baseline],
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

/** One pattern: the sentence that says it, the numbers behind it, and its signals. */
export function Pattern({ pattern }: { readonly pattern: ShownPattern }) {
  const { type, status, score, count, riskLevel, description, key, test, pValue } = pattern;
  return (
    <>
      <p className="sheet-summary">
        <Level level={riskLevel} />
        <span className="plan">{type}</span>
        <span className="plan">{status}</span>
      </p>
      <p className="prose">{description}</p>
      <section aria-label="Numbers">
        <h3>Numbers</h3>
        <AgainstBaseline pattern={pattern} />
        <dl className="facts">
          <div>
            <dt>score</dt>
            <dd>{score.toFixed(2)} (0.50 only just counts, 1.00 is beyond chance)</dd>
          </div>
          <div>
            <dt>signals</dt>
            <dd>{exactNumber(count)}</dd>
          </div>
          <div>
            <dt>about</dt>
            <dd>{key}</dd>
          </div>
          <div>
            <dt>window</dt>
            <dd>
              <Time at={pattern.windowStart} /> to <Time at={pattern.windowEnd} />
            </dd>
          </div>
          <div>
            <dt>test</dt>
            <dd>
              {test}, p = {pValue.toPrecision(2)}
            </dd>
          </div>
          <div>
            <dt>state</dt>
            <dd>{STATUSES[status] ?? status}</dd>
          </div>
        </dl>
      </section>
      <TimeLine pattern={pattern} />
    </>
  );
}

/** Patterns of a run, each opened by itself. */
export function Patterns({ patterns }: { readonly patterns: readonly ShownPattern[] }) {
  return (
    <section aria-label="Patterns">
      <h3>{counted(patterns.length, 'pattern')}, the most certain first</h3>
      {patterns.map((pattern) => (
        <details key={pattern.id} className="pattern">
          <summary>
            <Level level={pattern.riskLevel} /> {pattern.type}{' '}
            <span className="muted">score {pattern.score.toFixed(2)}</span>
            <span className="prose">{pattern.description}</span>
          </summary>
          <Pattern pattern={pattern} />
        </details>
      ))}
    </section>
  );
}
