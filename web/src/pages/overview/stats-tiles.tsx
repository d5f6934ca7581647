import type { UseQueryResult } from '@tanstack/react-query';
import type { AuditCounts, Stats } from '#schemas/api/dashboard.ts';
import type { Dates } from '../../address/counted.ts';
import type { Fault } from '../../api/fault.ts';
import { label } from '../../labels/label.ts';
import { Amount } from '../../ui/amount.tsx';
import { BarList } from '../../ui/chart/bar-list.tsx';
import { CountLink } from '../../ui/count-link.tsx';
import { LEVELS_DOWN, Level } from '../../ui/level.tsx';
import { Tile } from '../../ui/tile.tsx';
import { AUDIT_STATES } from './audit-states.ts';

interface StatsTileProps {
  /** `dates`: the dates counted, which the lists behind the numbers use too. */
  readonly query: UseQueryResult<Stats & { readonly dates: Dates }, Fault>;
}

const MAX_ROWS = 6;
const none = <p className="muted">No data</p>;

/** States of the audits above, which add up to all of them. */
const States = ({ counts, dates }: { readonly counts: AuditCounts; readonly dates: Dates }) => (
  <ul className="plain inline">
    {AUDIT_STATES.filter(({ state }) => counts[state] > 0).map(({ state, label, filters }) => (
      <li key={state}>
        <CountLink counted={{ list: '/audits', filters, dates }} count={counts[state]}>
          {label} <Amount value={counts[state]} />
        </CountLink>
      </li>
    ))}
  </ul>
);

export const TotalsTile = ({ query }: StatsTileProps) => (
  <Tile title="Audits processed" query={query} freshnessOf={(stats) => stats}>
    {({ totalAudits, auditBreakdown, riskBreakdown, dates }) => {
      const signals = LEVELS_DOWN.reduce((sum, level) => sum + riskBreakdown[level], 0);
      return (
        <>
          <p className="headline">
            <CountLink counted={{ list: '/audits', dates }} count={totalAudits}>
              <Amount value={totalAudits} />{' '}
              <span className="unit">{totalAudits === 1 ? 'audit' : 'audits'}</span>
            </CountLink>
          </p>
          <States counts={auditBreakdown} dates={dates} />
          <p className="headline">
            <CountLink counted={{ list: '/signals', dates }} count={signals}>
              <Amount value={signals} /> <span className="unit">{signals === 1 ? 'signal' : 'signals'}</span>
            </CountLink>
          </p>
          <ul className="level-list">
            {LEVELS_DOWN.map((level) => (
              <li key={level}>
                <CountLink
                  counted={{ list: '/signals', filters: { riskLevel: level }, dates }}
                  count={riskBreakdown[level]}
                >
                  <Level level={level} />
                  <Amount value={riskBreakdown[level]} />
                </CountLink>
              </li>
            ))}
          </ul>
          <p className="muted">
            Audits are counted by acceptance time, signals by creation time. Erased signals are not counted.
          </p>
        </>
      );
    }}
  </Tile>
);

export const ViolationsTile = ({ query }: StatsTileProps) => (
  <Tile title="Top violations" query={query} freshnessOf={(stats) => stats}>
    {({ topViolations, dates }) =>
      topViolations.length === 0 ? (
        none
      ) : (
        <>
          <BarList
            max={MAX_ROWS}
            rows={topViolations.map(({ code, count }) => ({
              key: code,
              name: label('violation', code),
              count,
              counted: { list: '/signals', filters: { violation: code }, dates },
            }))}
          />
          <p className="muted">A signal with several violations counts once for each.</p>
        </>
      )
    }
  </Tile>
);

export const SandboxesTile = ({ query }: StatsTileProps) => (
  <Tile title="Signals by sandbox" query={query} freshnessOf={(stats) => stats}>
    {({ sandboxBreakdown, dates }) =>
      sandboxBreakdown.length === 0 ? (
        none
      ) : (
        <BarList
          max={MAX_ROWS}
          rows={sandboxBreakdown.map(({ slug, count }) => ({
            key: slug,
            name: slug,
            count,
            counted: { list: '/signals', filters: { sandboxSlug: slug }, dates },
          }))}
        />
      )
    }
  </Tile>
);

export const ModelsTile = ({ query }: StatsTileProps) => (
  <Tile title="Signals by model and provider" query={query} freshnessOf={(stats) => stats}>
    {({ modelBreakdown, dates }) =>
      modelBreakdown.length === 0 ? (
        none
      ) : (
        <BarList
          max={MAX_ROWS}
          rows={modelBreakdown.map(({ provider, model, count }) => ({
            key: `${provider} ${model}`,
            name: (
              <>
                {model} <span className="muted">{provider}</span>
              </>
            ),
            count,
            counted: { list: '/signals', filters: { provider, model }, dates },
          }))}
        />
      )
    }
  </Tile>
);
