import { useLocation, useSearchParams } from 'wouter';
import { getStats, getTimeseries } from '#schemas/endpoints.ts';
import { listAddress } from '../../address/counted.ts';
import { type Period, periodIn } from '../../address/period.ts';
import { useCounted, useGet } from '../../api/use-get.ts';
import { LevelStrips } from '../../ui/chart/level-strips.tsx';
import { NothingYet } from '../../ui/empty.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { Tile } from '../../ui/tile.tsx';
import { ReconciliationTile } from './books-tile.tsx';
import { ChainTile } from './chain-tile.tsx';
import { FindingsTile } from './findings-tile.tsx';
import { IncidentsTile } from './incidents-tile.tsx';
import { LiveFeed } from './live-feed.tsx';
import { ModelsTile, SandboxesTile, TotalsTile, ViolationsTile } from './stats-tiles.tsx';

const DEFAULT_RANGE = '24h';

function OverTime({ period }: { readonly period: Period }) {
  const [, go] = useLocation();
  const series = useGet(getTimeseries, { query: { interval: 'auto' }, period });
  return (
    <Tile title="Signals by risk level" size="full" query={series} freshnessOf={(answer) => answer}>
      {(answer) =>
        answer.data.every(({ count }) => count === 0) ? (
          <p className="muted">No signals in this period.</p>
        ) : (
          <LevelStrips series={answer} onChoose={(signals) => go(listAddress(signals))} />
        )
      }
    </Tile>
  );
}

/** What is new and most urgent: each number links to its list. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const period = periodIn(search, Date.now(), DEFAULT_RANGE);
  const stats = useCounted(getStats, {}, period);
  const ever = useGet(getStats);
  const isNew = ever.data?.totalAudits === 0;
  return (
    <>
      <header className="page-head">
        <h1>Overview</h1>
        <PeriodChoice
          period={period}
          byDefault={DEFAULT_RANGE}
          onChoose={(chosen) =>
            setSearch(
              Object.entries(chosen).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
            )
          }
        />
      </header>
      <div className="tiles">
        {isNew && (
          <section className="card tile" data-size="full">
            <NothingYet />
          </section>
        )}
        <OverTime period={period} />
        <TotalsTile query={stats} />
        <ViolationsTile query={stats} />
        <SandboxesTile query={stats} />
        <ModelsTile query={stats} />
        <ReconciliationTile />
        <ChainTile />
        <IncidentsTile />
        <FindingsTile />
        <LiveFeed />
      </div>
    </>
  );
}
