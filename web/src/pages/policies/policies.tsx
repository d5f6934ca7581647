import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useSearchParams } from 'wouter';
import type { Policy } from '#schemas/api/evidence/policies.ts';
import { listPolicies } from '#schemas/endpoints.ts';
import { periodIn } from '../../address/period.ts';
import { withDates, withFilter } from '../../address/signal-filters.ts';
import { useList } from '../../api/use-list.ts';
import { label } from '../../labels/label.ts';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { PeriodChoice } from '../../ui/period-choice.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { PolicyForm } from './policy-form.tsx';
import { PolicySheet } from './policy-sheet.tsx';

/** What enforcement means, in words. */
const ENFORCEMENTS = { MONITOR: 'Report only', ENFORCE: 'Also run the action' } as const;

interface PolicyCardProps {
  readonly policy: Policy;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function PolicyCard({ policy, isOpen, onOpen }: PolicyCardProps) {
  const { name, framework, enforcement, active, rules, sandboxSlugs, version, updatedAt, description } =
    policy;
  return (
    <li className="record" data-ended={!active}>
      <header>
        <h3>{name}</h3>
        {!active && <span className="plan">Inactive</span>}
        <span className="plan" title={ENFORCEMENTS[enforcement]}>
          {label('policyMode', enforcement)}
        </span>
      </header>
      {description !== null && description !== '' && <p className="reasoning">{description}</p>}
      <dl className="facts">
        <div>
          <dt>Framework</dt>
          <dd>{label('framework', framework)}</dd>
        </div>
        <div>
          <dt>Sandboxes</dt>
          <dd>{sandboxSlugs.join(', ') || 'all'}</dd>
        </div>
        <div>
          <dt>Rules</dt>
          <dd>{rules.length}</dd>
        </div>
        <div>
          <dt>Version {version}</dt>
          <dd>
            <Time at={updatedAt} />
          </dd>
        </div>
      </dl>
      <Button className="button" aria-label={`View report: ${name}`} isDisabled={isOpen} onPress={onOpen}>
        View report
      </Button>
    </li>
  );
}

/** Limits on kinds of signals, and reports on them. */
export function Page() {
  const [search, setSearch] = useSearchParams();
  const [isMaking, setIsMaking] = useState(false);
  const query = useList(listPolicies);
  const period = periodIn(search, Date.now(), '30d');
  const openId = search.get('open');
  const open = query.data?.rows.find(({ id }) => id === openId);
  const show = (id: string | null): void => setSearch((former) => withFilter(former, 'open', id));
  return (
    <>
      <header className="page-head">
        <h1>Policies</h1>
        <PeriodChoice
          period={period}
          byDefault="30d"
          onChoose={(dates) => setSearch((former) => withDates(former, dates))}
        />
        <Button className="button" isDisabled={isMaking} onPress={() => setIsMaking(true)}>
          New policy
        </Button>
      </header>
      {isMaking && (
        <section className="card made" aria-label="New policy">
          <PolicyForm
            policy={null}
            onDone={(made) => {
              setIsMaking(false);
              if (made !== null) show(made.id);
            }}
          />
        </section>
      )}
      <div className="beside" data-open={open !== undefined}>
        <Tile title="Policies" query={query}>
          {({ rows, total }) =>
            total === 0 ? (
              <p>No policies yet. A policy limits how many signals of a kind are allowed.</p>
            ) : (
              <>
                <ul className="records">
                  {rows.map((policy) => (
                    <PolicyCard
                      key={policy.id}
                      policy={policy}
                      isOpen={policy.id === openId}
                      onOpen={() => show(policy.id)}
                    />
                  ))}
                </ul>
                <MoreRows unit="policy" units="policies" query={query} />
              </>
            )
          }
        </Tile>
        {open !== undefined && (
          <PolicySheet key={open.id} policy={open} period={period} onClose={() => show(null)} />
        )}
      </div>
    </>
  );
}
