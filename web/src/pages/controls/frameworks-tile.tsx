import type { UseQueryResult } from '@tanstack/react-query';
import type { FrameworkCoverage, getCoverage } from '#schemas/api/evidence/attestations.ts';
import type { AnswerOf } from '../../api/call.ts';
import type { Fault } from '../../api/fault.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { STATUSES_DOWN } from './controls-order.ts';

interface FrameworksTileProps {
  readonly query: UseQueryResult<AnswerOf<typeof getCoverage>, Fault>;
  readonly framework: string | null;
  /** Address of the page with this framework, or with none. */
  readonly addressOf: (framework: string | null) => string;
}

function Framework({
  coverage,
  isCurrent,
  to,
}: {
  readonly coverage: FrameworkCoverage;
  readonly isCurrent: boolean;
  readonly to: string;
}) {
  const { framework, coveragePercent, controlsWithEvidence, totalControls, byStatus, scope } = coverage;
  return (
    <PageLink to={to} className="framework" isCurrent={isCurrent}>
      <span className="framework-name">
        <strong>{framework}</strong>
        <span>{coveragePercent} %</span>
      </span>
      <span className="framework-track">
        <span className="bar" style={{ inlineSize: `${coveragePercent}%` }} />
      </span>
      <span>
        evidence of {controlsWithEvidence} of {totalControls} controls
      </span>
      <span className="muted">
        {STATUSES_DOWN.map((status) => `${byStatus[status]} ${status}`).join(', ')}
        {scope === 'ALL' && '; no sandbox names it, so all signals count'}
      </span>
    </PageLink>
  );
}

/** How much of each framework there is evidence of. */
export function FrameworksTile({ query, framework, addressOf }: FrameworksTileProps) {
  return (
    <Tile title="Evidence by framework" size="full" query={query}>
      {({ data }) => {
        const all = Array.isArray(data) ? data : [data];
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
                      to={addressOf(isCurrent ? null : coverage.framework)}
                    />
                  </li>
                );
              })}
            </ul>
            <p className="muted">
              {generatedAt === null ? (
                'The ledger has no entry yet.'
              ) : (
                <>
                  As of the checkpoint that was signed <Time at={generatedAt} withAge />
                </>
              )}
            </p>
          </>
        );
      }}
    </Tile>
  );
}
