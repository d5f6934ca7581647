import type { Policy, PolicyReport } from '#schemas/api/evidence/policies.ts';
import { getPolicyReport } from '#schemas/endpoints.ts';
import type { Counted } from '../../address/counted.ts';
import type { Period } from '../../address/period.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { counted as countOf, exactNumber } from '../../format/numbers.ts';
import { inSentence, label } from '../../labels/label.ts';
import { BarList } from '../../ui/chart/bar-list.tsx';
import { CountLink } from '../../ui/count-link.tsx';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

type Rule = PolicyReport['rules'][number];

const STATUSES = {
  PASS: 'Pass: no rule is near its limit',
  WARN: 'Warning: a rule has used 80% of its limit',
  FAIL: 'Fail: a rule is over its limit',
} as const;

/** `isEnforced`: otherwise a breach only shows in reports, whatever its rule says. */
function RuleRow({ rule, isEnforced }: { readonly rule: Rule; readonly isEnforced: boolean }) {
  const { code, minRiskLevel, maxCount, windowDays, action, count, breached, sampleSignalIds } = rule;
  return (
    <li className="record">
      <Verdict isGood={!breached}>
        {code === '*' ? 'Any violation' : label('violation', code)}: {exactNumber(count)} found,{' '}
        {exactNumber(maxCount)} allowed
      </Verdict>
      <p className="muted">
        <Level level={minRiskLevel} /> or above, within {countOf(windowDays, 'day')} · over the limit:{' '}
        {inSentence(label('policyAction', isEnforced ? action : 'ALERT'))}
      </p>
      {sampleSignalIds.length > 0 && (
        <ul className="plain inline" aria-label="Newest signals">
          {sampleSignalIds.map((id) => (
            <li key={id}>
              <PageLink to={signalsAddress({ open: id })}>
                <code>{id}</code>
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Signals counted in the report; null: no list covers several sandboxes. */
const countedBy = (
  { sandboxSlugs }: Policy,
  { period, checkpoint }: PolicyReport,
  filters: NonNullable<Counted['filters']> = {},
): Counted | null =>
  sandboxSlugs.length > 1 || checkpoint === null
    ? null
    : {
        list: '/signals',
        filters: { sandboxSlug: sandboxSlugs[0], ...filters },
        dates: { from: period.start ?? undefined, to: period.end ?? undefined },
      };

interface NumbersProps {
  readonly report: PolicyReport;
  readonly counted: Counted | null;
}

function Numbers({ report, counted }: NumbersProps) {
  const { evaluatedSignals, passingSignals, incidentsOpened, period, policyVersion } = report;
  const matched = evaluatedSignals - passingSignals;
  return (
    <>
      <p className="headline">
        {exactNumber(matched)}{' '}
        <span className="unit">of {countOf(evaluatedSignals, 'signal')} matched a rule</span>
      </p>
      <dl className="facts">
        <div>
          <dt>Signals checked</dt>
          <dd>
            {counted === null ? (
              exactNumber(evaluatedSignals)
            ) : (
              <CountLink counted={counted} count={evaluatedSignals}>
                {exactNumber(evaluatedSignals)}
              </CountLink>
            )}
          </dd>
        </div>
        <div>
          <dt>Matched no rule</dt>
          <dd>{exactNumber(passingSignals)}</dd>
        </div>
        <div>
          <dt>Incidents created</dt>
          <dd>{exactNumber(incidentsOpened)}</dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>{period.start === null ? 'the first signal' : <Time at={period.start} />}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>{period.end === null ? 'now' : <Time at={period.end} />}</dd>
        </div>
        <div>
          <dt>Rules</dt>
          <dd>version {policyVersion}</dd>
        </div>
      </dl>
    </>
  );
}

/** How well a policy was complied with in the page's period. */
export function Report({ policy, period }: { readonly policy: Policy; readonly period: Period }) {
  const report = useGet(getPolicyReport, { params: { id: policy.id }, period });
  return (
    <Tile title="Report" query={report} size="full">
      {({ data }) => {
        const codes = Object.entries(data.violationsByCode).sort(([, one], [, other]) => other - one);
        // Breaches first, then the rules nearest to one.
        const rules = data.rules.toSorted(
          (one, other) => other.count - other.maxCount - one.count + one.maxCount,
        );
        return (
          <>
            <Verdict isGood={data.status === 'PASS'}>{STATUSES[data.status]}</Verdict>
            <Numbers report={data} counted={countedBy(policy, data)} />
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
                <h3>Violations in the checked signals</h3>
                <BarList
                  rows={codes.map(([code, count]) => ({
                    key: code,
                    name: label('violation', code),
                    count,
                    counted: countedBy(policy, data, { violation: code }),
                  }))}
                  max={8}
                />
              </>
            )}
            <p className="muted">
              {data.generatedAt === null ? (
                'No ledger entries yet.'
              ) : (
                <>
                  As of the checkpoint signed <Time at={data.generatedAt} />.
                </>
              )}{' '}
              Based on language-model activity only; not a certification.
            </p>
          </>
        );
      }}
    </Tile>
  );
}
