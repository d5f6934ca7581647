import { listCorrelations } from '#schemas/endpoints.ts';
import type { Counted } from '../../address/counted.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { confidenceText, patternText } from '../../labels/pattern-text.ts';
import { CountLink } from '../../ui/count-link.tsx';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';

const LISTED = 4;
const FOUND: Counted = { list: '/correlations', filters: { source: 'STREAM' } };

/** Patterns over many signals, found in real time. */
export function FindingsTile() {
  const findings = useGet(listCorrelations, {
    query: {
      ...FOUND.filters,
      limit: LISTED,
    },
  });
  return (
    <Tile title={<PageLink to="/correlations">Patterns</PageLink>} query={findings}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <p className="muted">No patterns detected.</p>
        ) : (
          <>
            <ul className="plain rows">
              {data.flatMap(({ patterns }) =>
                (patterns ?? []).map((pattern) => (
                  <li key={pattern.id}>
                    <Level level={pattern.riskLevel} />{' '}
                    <PageLink to={`/correlations?open=${pattern.id}`}>
                      {label('patternType', pattern.type)}
                    </PageLink>{' '}
                    <span className="muted" title={`Score ${pattern.score.toFixed(2)}`}>
                      {label('patternStatus', pattern.status)} · confidence: {confidenceText(pattern.score)}
                    </span>
                    <p>{patternText(pattern)}</p>
                  </li>
                )),
              )}
            </ul>
            {pagination.total > data.length && (
              <CountLink counted={FOUND} count={pagination.total}>
                View all {exactNumber(pagination.total)}
              </CountLink>
            )}
          </>
        )
      }
    </Tile>
  );
}
