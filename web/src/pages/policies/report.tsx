import type { getPolicyReport, Policy, PolicyReport } from '#schemas/api/evidence/policies.ts';
import type { Period } from '../../address/period.ts';
import { periodPart, signalsAddress } from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { BarList } from '../../ui/chart/bar-list.tsx';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

type Rule = PolicyReport['rules'][number];

const STATUSES = {
  PASS: 'Pass: no rule is near its limit',
  WARN: 'Warning: a rule has reached 80 % of what it allows',
  FAIL: 'Fail: a rule is breached',
} as const;

const ACTIONS = { ALERT: 'shows in reports', OPEN_INCIDENT: 'opens an incident' } as const;

/** `isEnforced`: else a breach shows in reports, whatever its rule says. */
function RuleRow({ rule, isEnforced }: { readonly rule: Rule; readonly isEnforced: boolean }) {
  const { code, minRiskLevel, maxCount, windowDays, action, count, breached, sampleSignalIds } = rule;
  return (
    <li className="record">
      <Verdict isGood={!breached}>
        {code === '*' ? 'Any violation' : code}: {exactNumber(count)} of {exactNumber(maxCount)} allowed
        {breached && ', breached'}
      </Verdict>
      <p className="muted">
        from <Level level={minRiskLevel} /> on, within {windowDays} days; a breach{' '}
        {ACTIONS[isEnforced ? action : 'ALERT']}
      </p>
      {sampleSignalIds.length > 0 && (
        <ul className="plain inline" aria-label="Newest of them">
          {sampleSignalIds.map((id, place) => (
            <li key={id}>
              <PageLink to={signalsAddress({ open: id })}>signal {place + 1}</PageLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Numbers({ report }: { readonly report: PolicyReport }) {
  const { passRate, evaluatedSignals, passingSignals, incidentsOpened, period, policyVersion } = report;
  return (
    <>
      <p className="headline">
        {percent(passRate)} <span className="unit">pass rate</span>
      </p>
      <dl className="facts">
        <div>
          <dt>signals looked at</dt>
          <dd>{exactNumber(evaluatedSignals)}</dd>
        </div>
        <div>
          <dt>counted by no rule</dt>
          <dd>{exactNumber(passingSignals)}</dd>
        </div>
        <div>
          <dt>
            <PageLink to="/incidents">incidents opened</PageLink>
          </dt>
          <dd>{exactNumber(incidentsOpened)}</dd>
        </div>
        <div>
          <dt>from</dt>
          <dd>{period.start === null ? 'the first signal on' : <Time at={period.start} />}</dd>
        </div>
        <div>
          <dt>to</dt>
          <dd>{period.end === null ? 'now' : <Time at={period.end} />}</dd>
        </div>
        <div>
          <dt>by the rules of</dt>
          <dd>version {policyVersion}</dd>
        </div>
      </dl>
    </>
  );
}

/** How a policy was kept in the period of the page. */
export function Report({ policy, period }: { readonly policy: Policy; readonly period: Period }) {
  const report = useGet<typeof getPolicyReport>(
    `/evidence/policies/${encodeURIComponent(policy.id)}/report`,
    {},
    { period },
  );
  return (
    <Tile title="Report" query={report} size="full">
      {({ data }) => {
        const codes = Object.entries(data.violationsByCode).sort(([, one], [, other]) => other - one);
        // Breaches first, then what is nearest to one.
        const rules = data.rules.toSorted(
          (one, other) => other.count - other.maxCount - one.count + one.maxCount,
        );
        return (
          <>
            <Verdict isGood={data.status === 'PASS'}>{STATUSES[data.status]}</Verdict>
            <Numbers report={data} />
            <ul className="plain rows">
              {rules.map((rule) => (
                <RuleRow
                  key={`${rule.code} ${rule.minRiskLevel} ${rule.windowDays} ${rule.action}`}
                  rule={rule}
                  isEnforced={policy.enforcement === 'ENFORCE' && policy.active}
                />
              ))}
            </ul>
            {codes.length > 0 && (
              <>
                <h3>Violations of the signals looked at</h3>
                <BarList
                  rows={codes.map(([code, count]) => ({
                    key: code,
                    name: code,
                    count,
                    to: signalsAddress({ violation: code, ...periodPart(period) }),
                  }))}
                  unit="signals"
                  most={8}
                />
              </>
            )}
            <p className="muted">
              {data.generatedAt === null ? (
                'The ledger is empty.'
              ) : (
                <>
                  As far as the checkpoint that was signed <Time at={data.generatedAt} /> covers.
                </>
              )}{' '}
              It is {data.notice}.
            </p>
          </>
        );
      }}
    </Tile>
  );
}
