import type { CheckOutcome } from '#schemas/vocabulary.ts';
import { floorDays } from '../retention/floors.ts';
import type { LedgerFacts, MappedFacts, ScopeFacts } from './facts.ts';

/**
 * The operational checks that controls name. A check returns PASS or FAIL only if the service keeps the necessary
 * records; otherwise NO_EVIDENCE, with the reason. A capability that adds such records implements its check here.
 */

export interface CheckInput {
  readonly scope: ScopeFacts;
  readonly ledger: LedgerFacts;
  /** Signals that count against the control; for a control without codes, all signals in scope. */
  readonly mapped: Pick<MappedFacts, 'signals' | 'high' | 'newer' | 'older' | 'incidents'>;
}

export interface CheckResult {
  readonly outcome: CheckOutcome;
  readonly reason: string;
}

type Check = (input: CheckInput) => CheckResult;

const pass = (reason: string): CheckResult => ({ outcome: 'PASS', reason });
const fail = (reason: string): CheckResult => ({ outcome: 'FAIL', reason });
const unknown = (reason: string): CheckResult => ({ outcome: 'NO_EVIDENCE', reason });

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** Maximum age of the last re-hash before a checkpoint for regular testing, ms: the service re-hashes daily. */
const REHASHED_WITHIN_MS = 2 * 86_400_000;
/** Maximum providers named in a reason. */
const NAMED_PROVIDERS = 5;

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const NO_SIGNAL = 'No signals in the period';

const signalsRecorded: Check = ({ scope }) =>
  scope.signals > 0 ? pass(`${counted(scope.signals, 'signal')} recorded`) : unknown(NO_SIGNAL);

const chainVerified: Check = ({ ledger: { brokenAt, verifiedEntries } }) => {
  if (brokenAt !== null) return fail(`The ledger is broken at entry ${brokenAt}`);
  return verifiedEntries > 0
    ? pass('The ledger was verified without faults')
    : unknown('The ledger has not been verified yet. Run a verification first');
};

const chainReverified: Check = ({ ledger: { rehashedAt, checkpointAt } }) => {
  if (rehashedAt === null) return unknown('The ledger was not re-verified recently');
  return checkpointAt - rehashedAt <= REHASHED_WITHIN_MS
    ? pass('The ledger is re-verified in the background')
    : fail('The ledger was not re-verified in the two days before the checkpoint');
};

const originRecorded: Check = ({ scope: { signals, withoutOrigin } }) => {
  if (signals === 0) return unknown(NO_SIGNAL);
  return withoutOrigin === 0
    ? pass('All signals name their provider, model and region')
    : fail(`${counted(withoutOrigin, 'signal')} without provider, model or region`);
};

const protects = ({ guardianAction }: ScopeFacts['sandboxes'][number]): boolean =>
  guardianAction !== 'ALLOW_ALL';

const sandboxesProtect: Check = ({ scope: { sandboxes } }) => {
  if (sandboxes.length === 0) return unknown('No active sandboxes in scope');
  const open = sandboxes.filter((sandbox) => !protects(sandbox)).length;
  return open === 0
    ? pass(`All sandboxes in scope (${sandboxes.length}) redact or block`)
    : fail(`${open} of ${counted(sandboxes.length, 'sandbox', 'sandboxes')} in scope only log`);
};

const personalDataRedacted: Check = ({ scope: { personal, redacted } }) => {
  if (personal === 0) return unknown('No signals with personal data in the period');
  const share = `${percent(redacted, personal)} of ${counted(personal, 'signal')} with personal data come from sandboxes that redact or block`;
  return redacted === personal ? pass(share) : fail(share);
};

const cardNumbersMasked: Check = ({ scope: { sandboxes } }) => {
  if (sandboxes.length === 0) return unknown('No active sandboxes in scope');
  // Every strategy passes: a partial mask keeps the last four digits, the others none.
  return sandboxes.every(protects)
    ? pass('All sandboxes in scope replace card numbers, or mask all but the last four digits')
    : fail('A sandbox in scope only logs, so card numbers are not masked');
};

const keyedHashes: Check = ({ scope: { sandboxes } }) =>
  sandboxes.some(({ redactionStrategy }) => redactionStrategy === 'HASHED')
    ? pass('Values are replaced by hashes keyed per customer')
    : unknown('No sandbox in scope replaces values with hashes');

const providerRates: Check = ({ scope: { providers } }) => {
  if (providers.length === 0) return unknown('No signals with a provider in the period');
  const rates = providers
    .slice(0, NAMED_PROVIDERS)
    .map(
      ({ provider, signals, violating, personal }) =>
        `${provider}: ${counted(signals, 'signal')}, ${percent(violating, signals)} with violations, ${percent(personal, signals)} with personal data`,
    );
  return pass(`Rates per provider: ${rates.join('; ')}`);
};

/** Standard deviations by which a share must grow to rule out chance. */
const BEYOND_CHANCE = 2;

interface Share {
  readonly part: number;
  readonly whole: number;
}

/** Whether a share grew by more than chance explains (pooled test of two proportions). */
function isRising(older: Share, newer: Share): boolean {
  const pooled = (older.part + newer.part) / (older.whole + newer.whole);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / older.whole + 1 / newer.whole));
  return newer.part / newer.whole - older.part / older.whole > BEYOND_CHANCE * deviation;
}

function trend(what: string, older: Share, newer: Share): CheckResult {
  if (older.whole === 0 || newer.whole === 0)
    return unknown('A trend needs signals in both the last 30 days and the 30 days before');
  const shares = `${percent(newer.part, newer.whole)} of signals in the last 30 days ${what}; ${percent(older.part, older.whole)} in the 30 days before`;
  return isRising(older, newer) ? fail(shares) : pass(shares);
}

const highRiskTrend: Check = ({ scope: { older, newer } }) =>
  trend(
    'are High or Critical',
    { part: older.high, whole: older.signals },
    { part: newer.high, whole: newer.signals },
  );

const mappedTrend: Check = ({ scope, mapped }) =>
  trend(
    'violate this control',
    { part: mapped.older.signals, whole: scope.older.signals },
    { part: mapped.newer.signals, whole: scope.newer.signals },
  );

const NO_INCIDENT = 'No incidents in the period';

const incidentsOpened: Check = ({ mapped: { high, incidents } }) => {
  if (incidents.incidents === 0) return unknown(NO_INCIDENT);
  const without = high - incidents.highWithIncident;
  return without <= 0
    ? pass('All High and Critical signals have an incident')
    : fail(`${counted(without, 'High or Critical signal')} without an incident`);
};

const HOUR_MS = 3_600_000;

const incidentsTriaged: Check = ({ mapped: { incidents } }) => {
  if (incidents.incidents === 0) return unknown(NO_INCIDENT);
  const { judged, late, medianMs } = incidents.triage;
  if (late > 0)
    return fail(
      `${late} of ${incidents.incidents} incidents waited more than three days for a first assessment`,
    );
  return medianMs === null
    ? unknown('No incident was assessed yet, and none has waited for three days')
    : pass(
        `${judged} incidents were assessed within three days, half of them within ${(medianMs / HOUR_MS).toFixed(1)} hours`,
      );
};

const incidentsVerified: Check = ({ mapped: { incidents } }) => {
  if (incidents.incidents === 0) return unknown(NO_INCIDENT);
  return incidents.verified > 0
    ? pass(`${incidents.verified} incidents were verified by a second person`)
    : unknown('No incident was verified by a second person yet');
};

const auditorAccessLogged: Check = ({ ledger: { auditorCalls } }) =>
  auditorCalls > 0
    ? pass(`Auditor requests are recorded in the ledger: ${auditorCalls} in the period`)
    : unknown('No auditor requests in the period');

const packagesBuilt: Check = ({ ledger: { packages } }) =>
  packages > 0
    ? pass(`${counted(packages, 'evidence package')} created`)
    : unknown('No evidence packages yet');

const NO_RETENTION = 'No active retention policies';

const retentionFloors: Check = ({ ledger: { retentionPolicies } }) => {
  if (retentionPolicies.length === 0) return unknown(NO_RETENTION);
  const below = retentionPolicies.filter(
    ({ framework, retentionDays }) => retentionDays < floorDays(framework),
  ).length;
  return below === 0
    ? pass(`All retention policies (${retentionPolicies.length}) meet the minimum of their framework`)
    : fail(
        `${below} of ${counted(retentionPolicies.length, 'retention policy', 'retention policies')} below the minimum of their framework`,
      );
};

const retentionRuns: Check = ({ ledger: { retentionPolicies, retentionErasures } }) => {
  if (retentionErasures > 0)
    return pass(
      `Retention policies erased signals: ${counted(retentionErasures, 'entry', 'entries')} in the period`,
    );
  // A run with nothing to erase leaves no entry.
  return unknown(
    retentionPolicies.length === 0
      ? NO_RETENTION
      : 'No signals were due under a retention policy in the period',
  );
};

const erasureReceipts: Check = ({ ledger: { askedErasures } }) =>
  askedErasures > 0
    ? pass(`Requested erasures have their entries and receipts: ${askedErasures} in the period`)
    : unknown('No erasure of a signal was requested in the period');

const policyReports: Check = ({ ledger: { policies } }) =>
  policies > 0
    ? pass(`${counted(policies, 'active compliance policy', 'active compliance policies')} with reports`)
    : unknown('No active compliance policies');

export const CHECKS = {
  signalsRecorded,
  chainVerified,
  chainReverified,
  originRecorded,
  sandboxesProtect,
  personalDataRedacted,
  cardNumbersMasked,
  keyedHashes,
  providerRates,
  highRiskTrend,
  mappedTrend,
  incidentsOpened,
  incidentsVerified,
  incidentsTriaged,
  /** Incidents have deadlines, but the service is not informed of notifications. */
  noticeDeadlines: () =>
    unknown(
      'Incidents show when an authority or the people concerned may have to be notified; the service cannot see whether they were',
    ),
  retentionRuns,
  retentionFloors,
  erasureReceipts,
  packagesBuilt,
  policyReports,
  auditorAccessLogged,
  /** Permanent: no input of the service shows this. */
  disclosureMade: () =>
    unknown('The service cannot see whether people are informed that they talk to a machine'),
} satisfies Readonly<Record<string, Check>>;
export type CheckName = keyof typeof CHECKS;

/** A failed check takes precedence, then one without evidence; null: the control names no check. */
export function combined(results: readonly CheckResult[]): CheckResult | null {
  const first = (wanted: CheckOutcome) => results.find(({ outcome }) => outcome === wanted);
  return first('FAIL') ?? first('NO_EVIDENCE') ?? results[0] ?? null;
}
