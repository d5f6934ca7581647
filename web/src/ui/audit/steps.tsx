import type { AuditStep } from '#schemas/api/audits.ts';
import { clockTime, fullTime, span } from '../../format/times.ts';
import { label } from '../../labels/label.ts';

const isSameDay = (at: string, before: string | undefined): boolean =>
  before !== undefined && at.slice(0, 10) === before.slice(0, 10);

/** The steps of an audit, with the time since the previous step. */
export function Steps({ steps }: { readonly steps: readonly AuditStep[] }) {
  return (
    <ol className="plain steps">
      {steps.map(({ name, at, attempt, reason }, index) => {
        const before = steps[index - 1];
        const ms = before === undefined ? null : new Date(at).getTime() - new Date(before.at).getTime();
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <li key={index}>
            <span>
              <strong>{label('step', name)}</strong>
              {attempt !== undefined && <span className="muted"> attempt {attempt}</span>}
              {reason !== undefined && <span className="step-reason"> {label('failure', reason)}</span>}
            </span>
            <span className="step-time">
              <time dateTime={at} title={fullTime(at)}>
                {isSameDay(at, before?.at) ? clockTime(at) : fullTime(at)}
              </time>
              {ms !== null && <span className="muted">+{span(Math.max(0, ms))}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
