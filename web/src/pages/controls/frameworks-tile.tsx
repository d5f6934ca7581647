import type { UseQueryResult } from '@tanstack/react-query';
import type { FrameworkCoverage } from '#schemas/api/evidence/attestations.ts';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import type { getCoverage } from '#schemas/endpoints.ts';
import type { ControlStatus } from '#schemas/vocabulary.ts';
import type { Counted, Dates } from '../../address/counted.ts';
import type { Fault } from '../../api/fault.ts';
import { inSentence, label } from '../../labels/label.ts';
import { CountLink } from '../../ui/count-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { STATUSES_DOWN } from './controls-order.ts';

interface FrameworksTileProps {
  readonly query: UseQueryResult<AnswerOf<typeof getCoverage>, Fault>;
  readonly framework: string | null;
  /** Null: controls of every status are listed. */
  readonly status: ControlStatus | null;
  /** The page's filters. */
  readonly filters: NonNullable<Counted['filters']>;
  readonly dates: Dates;
}

function Framework({
  coverage,
  isCurrent,
  counted,
  count,
}: {
  readonly coverage: FrameworkCoverage;
  readonly isCurrent: boolean;
  readonly counted: Counted;
  readonly count: number;
}) {
  const { framework, coveragePercent, controlsWithEvidence, totalControls, byStatus, scope } = coverage;
  return (
    <CountLink counted={counted} count={count} className="framework" isCurrent={isCurrent}>
      <span className="framework-name">
        <strong>{label('framework', framework)}</strong>
        <span>{coveragePercent} %</span>
      </span>
      <span className="framework-track">
        <span className="bar" style={{ inlineSize: `${coveragePercent}%` }} />
      </span>
      <span>
        Evidence for {controlsWithEvidence} of {totalControls} controls
      </span>
      <span className="muted">
        {STATUSES_DOWN.toReversed()
          .map((status) => `${byStatus[status]} ${inSentence(label('controlStatus', status))}`)
          .join(' · ')}
        {scope === 'ALL' && ' · covers all sandboxes, as none is tagged'}
      </span>
    </CountLink>
  );
}

/** How much of each framework has evidence. */
export function FrameworksTile({ query, framework, status, filters, dates }: FrameworksTileProps) {
  return (
    <Tile title="Evidence by framework" size="full" query={query}>
      {({ data }) => {
        const all = Array.isArray(data) ? data : [data];
        const listed = ({ totalControls, byStatus }: FrameworkCoverage): number =>
          status === null ? totalControls : byStatus[status];
        const generatedAt = all[0]?.generatedAt ?? null;
        return (
          <>
            <ul className="plain frameworks">
              {all.map((coverage) => {
                const isCurrent = coverage.framework === framework;
                return (
                  <li key={coverage.framework}>
                    <Framework
                      coverage={coverage}
                      isCurrent={isCurrent}
                      count={isCurrent ? all.reduce((sum, one) => sum + listed(one), 0) : listed(coverage)}
                      counted={{
                        list: '/controls',
                        filters: { ...filters, framework: isCurrent ? undefined : coverage.framework },
                        dates,
                      }}
                    />
                  </li>
                );
              })}
            </ul>
            <p className="muted">
              {generatedAt === null ? (
                'No ledger entries yet.'
              ) : (
                <>
                  As of the checkpoint signed <Time at={generatedAt} withAge />
                </>
              )}
            </p>
          </>
        );
      }}
    </Tile>
  );
}
