import { Verdict } from '../verdict.tsx';

interface ReportProps {
  readonly report: {
    readonly holds: boolean;
    readonly steps: readonly { readonly what: string; readonly fault: string | null }[];
  };
  readonly good: string;
  readonly bad: string;
}

/** The steps of a proof's check. */
export function Report({ report, good, bad }: ReportProps) {
  return (
    <>
      <Verdict isGood={report.holds}>{report.holds ? good : bad}</Verdict>
      <ol className="plain">
        {report.steps.map(({ what, fault }) => (
          <li key={what}>
            <span aria-hidden="true">{fault === null ? '✓' : '✗'}</span> {what}
            {fault !== null && <strong>: {fault}</strong>}
          </li>
        ))}
      </ol>
    </>
  );
}
