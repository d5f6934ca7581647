import { listCorrelations } from '#schemas/endpoints.ts';
import type { Counted } from '../../address/counted.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber } from '../../format/numbers.ts';
import { CountLink } from '../../ui/count-link.tsx';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';

const LISTED = 4;
const FOUND: Counted = { list: '/correlations', filters: { source: 'STREAM' } };

/** Patterns over many signals, as they were found while signals came. */
export function FindingsTile() {
  const findings = useGet(listCorrelations, {
    query: {
      ...FOUND.filters,
      limit: LISTED,
    },
  });
  return (
    <Tile title={<PageLink to="/correlations">Findings</PageLink>} query={findings}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <p className="muted">No pattern that single signals do not show.</p>
        ) : (
          <>
            <ul className="plain rows">
              {data.flatMap(({ patterns }) =>
                (patterns ?? []).map(({ id, type, riskLevel, description, score, status }) => (
                  <li key={id}>
                    <Level level={riskLevel} /> <PageLink to={`/correlations?open=${id}`}>{type}</PageLink>{' '}
                    <span className="muted">
                      {status}, score {score.toFixed(2)}
                    </span>
                    <p>{description}</p>
                  </li>
                )),
              )}
            </ul>
            {pagination.total > data.length && (
              <CountLink counted={FOUND} count={pagination.total}>
                All {exactNumber(pagination.total)}
              </CountLink>
            )}
          </>
        )
      }
    </Tile>
  );
}
