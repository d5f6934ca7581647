import { isBreached, passRate, policyStatus } from '#core/evidence/policies/report.ts';
import { ANY_CODE, DAY_MS } from '#core/evidence/policies/rules.ts';
import { entryIdsAt } from '#platform/warehouse/queries/evidence/attestations.ts';
import { countForPolicy, type PolicyCountRow } from '#platform/warehouse/queries/evidence/policies/report.ts';
import { type CheckpointDependencies, currentCheckpoint, noteOf } from '#records/ledger/checkpoints.ts';
import { incidentsOpenedBy } from '#records/policies/enforcement-records.ts';
import type { PolicyRecord } from '#records/policies/policy-record.ts';
import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import type { PolicyReport } from '#schemas/api/evidence/policies.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { knownPolicy, type PolicyRecordDependencies } from './policies.ts';

export type ReportDependencies = PolicyRecordDependencies & CheckpointDependencies;

/** Compliance with the newest version of a policy, as of the newest checkpoint. */
export async function readPolicyReport(
  dependencies: ReportDependencies,
  customerId: string,
  id: string,
  range: DateRange,
): Promise<PolicyReport> {
  const policy = await knownPolicy(dependencies, customerId, id);
  const checkpoint = await currentCheckpoint(dependencies, customerId);
  const end = checkpoint === null ? null : Math.min(range.to ?? Infinity, Date.parse(checkpoint.issuedAt));
  const rows =
    checkpoint === null || end === null
      ? []
      : await countForPolicy(dependencies.warehouse, {
          customerId,
          below: checkpoint.size,
          sandboxIds: await sandboxIdsOf(dependencies, customerId, policy),
          from: range.from,
          to: end,
          rules: policy.rules.map(({ code, minRiskLevel, windowDays }) => ({
            code: code === ANY_CODE ? null : code,
            minRiskLevel,
            since: Math.max(0, end - windowDays * DAY_MS),
          })),
        });
  const indexes = [...new Set(rows.flatMap(({ samples }) => samples))];
  const ids = await entryIdsAt(dependencies.warehouse, customerId, indexes);
  return {
    policyId: policy.id,
    policyVersion: policy.version,
    framework: policy.framework,
    period: { start: timeOf(range.from ?? null), end: timeOf(end) },
    ...judged(policy, rows, ids),
    incidentsOpened: await incidentsOpenedBy(dependencies.state.documents, customerId, policy.id, {
      from: range.from,
      to: range.to ?? dependencies.now(),
    }),
    checkpoint: checkpoint === null ? null : noteOf(dependencies, customerId, checkpoint),
    generatedAt: checkpoint?.issuedAt ?? null,
    notice: NOTICE,
  };
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Derives the verdict from the numbers. */
function judged(
  { rules }: PolicyRecord,
  rows: readonly PolicyCountRow[],
  ids: ReadonlyMap<number, string>,
): Pick<
  PolicyReport,
  'evaluatedSignals' | 'passingSignals' | 'passRate' | 'status' | 'rules' | 'violationsByCode'
> {
  const of = (part: PolicyCountRow['part']) => rows.filter((row) => row.part === part);
  const [{ signals, passing } = { signals: 0, passing: 0 }] = of('all');
  const byRule = new Map(of('rule').map((row) => [row.number, row]));
  const counted = rules.map((rule, number) => ({ rule, count: byRule.get(number)?.signals ?? 0 }));
  return {
    evaluatedSignals: signals,
    passingSignals: passing,
    passRate: passRate(signals, passing),
    status: policyStatus(counted),
    rules: counted.map(({ rule, count }, number) => ({
      ...rule,
      code: rule.code as PolicyReport['rules'][number]['code'],
      count,
      breached: isBreached(rule, count),
      sampleSignalIds: (byRule.get(number)?.samples ?? []).flatMap((index) => ids.get(index) ?? []),
    })),
    violationsByCode: Object.fromEntries(of('code').map((row) => [row.name, row.signals])),
  };
}

/** Null: all sandboxes. Deleted ones keep their slug, and their signals count. */
async function sandboxIdsOf(
  { directory }: Pick<ReportDependencies, 'directory'>,
  customerId: string,
  { sandboxSlugs }: PolicyRecord,
): Promise<string[] | null> {
  if (sandboxSlugs.length === 0) return null;
  const ids = await Promise.all(sandboxSlugs.map((slug) => directory.sandboxIdOfSlug(customerId, slug)));
  return ids.filter((id) => id !== null);
}
