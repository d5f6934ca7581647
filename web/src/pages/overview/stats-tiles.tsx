import type { UseQueryResult } from '@tanstack/react-query';
import type { Stats } from '#schemas/api/dashboard.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import type { Fault } from '../../api/fault.ts';
import { Amount } from '../../ui/amount.tsx';
import { BarList } from '../../ui/chart/bar-list.tsx';
import { LEVELS_DOWN, Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';

interface StatsTileProps {
  readonly query: UseQueryResult<Stats, Fault>;
  /** The period's part of the address, which the lists behind the numbers have too. */
  readonly kept: { readonly range?: string; readonly from?: string; readonly to?: string };
}

const MOST_ROWS = 6;
const none = <p className="muted">None in this period.</p>;

export const TotalsTile = ({ query, kept }: StatsTileProps) => (
  <Tile title="Totals" query={query} freshnessOf={(stats) => stats}>
    {({ totalAudits, riskBreakdown }) => (
      <>
        <p className="headline">
          <Amount value={totalAudits} /> <span className="unit">audits accepted</span>
        </p>
        <ul className="level-list">
          {LEVELS_DOWN.map((level) => (
            <li key={level}>
              <PageLink to={signalsAddress({ riskLevel: level, ...kept })}>
                <Level level={level} />
                <Amount value={riskBreakdown[level]} />
              </PageLink>
            </li>
          ))}
        </ul>
      </>
    )}
  </Tile>
);

export const ViolationsTile = ({ query, kept }: StatsTileProps) => (
  <Tile title="Top violations" query={query} freshnessOf={(stats) => stats}>
    {({ topViolations }) =>
      topViolations.length === 0 ? (
        none
      ) : (
        <BarList
          unit="signals"
          most={MOST_ROWS}
          rows={topViolations.map(({ code, count }) => ({
            key: code,
            name: code,
            count,
            to: signalsAddress({ violation: code, ...kept }),
          }))}
        />
      )
    }
  </Tile>
);

export const SandboxesTile = ({ query, kept }: StatsTileProps) => (
  <Tile title="Sandboxes" query={query} freshnessOf={(stats) => stats}>
    {({ sandboxBreakdown }) =>
      sandboxBreakdown.length === 0 ? (
        none
      ) : (
        <BarList
          unit="signals"
          most={MOST_ROWS}
          rows={sandboxBreakdown.map(({ slug, count }) => ({
            key: slug,
            name: slug,
            count,
            to: signalsAddress({ sandboxSlug: slug, ...kept }),
          }))}
        />
      )
    }
  </Tile>
);

export const ModelsTile = ({ query, kept }: StatsTileProps) => (
  <Tile title="Models and providers" query={query} freshnessOf={(stats) => stats}>
    {({ modelBreakdown }) =>
      modelBreakdown.length === 0 ? (
        none
      ) : (
        <BarList
          unit="signals"
          most={MOST_ROWS}
          rows={modelBreakdown.map(({ provider, model, count }) => ({
            key: `${provider} ${model}`,
            name: (
              <>
                {model} <span className="muted">{provider}</span>
              </>
            ),
            count,
            to: signalsAddress({ provider, model, ...kept }),
          }))}
        />
      )
    }
  </Tile>
);
