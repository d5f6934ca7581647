import { enforcedRules, type PolicyVersion } from '#core/evidence/policies/enforced.ts';
import { counts, DAY_MS, type PolicyRule } from '#core/evidence/policies/rules.ts';
import { INCIDENTS, type IncidentRecord } from '#records/incidents/incident-record.ts';
import { readProgress } from '#records/policies/enforcement-records.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';
import type { World } from '../world-of-run.ts';
import { erasedCustomers, whoseLedgerWaits } from './confirmed.ts';

/**
 * The incidents match a simple reader that goes through each ledger once and counts: one incident for the first signal
 * that breaches a rule, because no incident is closed here. State and ledger agree about them. If records expired,
 * history is compared when the customer's next entry arrives, with the policies that are active then. Such a run counts
 * only breaches recorded as compared, of policies that never changed. An older state may have lost incidents. For a
 * customer with erased signals, it is not checked which signals have incidents: a correlator that came after the
 * erasure did not count them.
 */
export async function breachFaults(world: World): Promise<string[]> {
  const { promised, restoredAt } = world;
  if (restoredAt !== null) return [];
  const erased = await erasedCustomers(world);
  const waits = whoseLedgerWaits(world);
  const faults: string[] = [];
  for (const customerId of new Set(promised.policies.map((one) => one.customerId))) {
    if (erased.has(customerId) || waits(customerId)) continue;
    faults.push(...(await faultsOf(world, customerId)));
  }
  return faults;
}

async function faultsOf({ store, state, faults }: World, customerId: string): Promise<string[]> {
  const { documents } = state.state;
  const stored = await documents.list<IncidentRecord>(customerId, INCIDENTS);
  const found = stored.map(({ value }) => value.signalId).sort();
  const entries = store.rows.entries.filter((row) => row.customerId === customerId);
  const recorded = new Set(entries.filter(({ kind }) => kind === 'INCIDENT_EVENT').map(({ index }) => index));
  const isPartial = faults.counts.has('expired records');
  const progress = await readProgress(documents, customerId);
  const until = isPartial ? (progress?.value.index ?? -1) : Number.POSITIVE_INFINITY;
  const breaches = breachesOf(store, customerId, isPartial);
  const expected = breaches.filter(({ index }) => index <= until).map(({ auditId }) => auditId);
  const possible = new Set(breaches.map(({ auditId }) => auditId));
  const isErased = store.rows.signals.some((row) => row.customerId === customerId && row.revision > 0);
  const isExtra = (auditId: string): boolean => !isPartial && !isErased && !possible.has(auditId);
  return [
    ...expected
      .filter((auditId) => !isErased && !found.includes(auditId))
      .map((auditId) => `${customerId}: signal ${auditId} breaches a policy and has no incident`),
    ...found
      .filter((auditId, index) => isExtra(auditId) || found[index + 1] === auditId)
      .map((auditId) => `${customerId}: signal ${auditId} has an incident too many`),
    ...(recorded.size === found.length
      ? []
      : [`${customerId}: the ledger tells of ${recorded.size} incidents, the state has ${found.length}`]),
  ];
}

/** Signals as first stored, before any erasure. */
const contentOf = ({ rows }: World['store']): SignalRow[] => [
  ...new Map(
    rows.signals
      .filter(({ revision }) => revision === 0)
      .map((row) => [`${row.customerId} ${row.index}`, row]),
  ).values(),
];

/** Signals that must have an incident, in ledger order; `unchanged`: only by policies with a single version. */
function breachesOf(store: World['store'], customerId: string, unchanged: boolean): SignalRow[] {
  const isOwn = (row: { customerId: string }): boolean => row.customerId === customerId;
  const { entries } = store.final();
  const signals = contentOf(store);
  const policyEntries = entries.filter(
    (row) => isOwn(row) && row.kind === 'POLICY_EVENT' && row.id.startsWith('policy:'),
  );
  const isChanged = ({ id }: { id: string }): boolean =>
    policyEntries.some((row) => row.id === `${id.slice(0, -1)}2`);
  const ledger = [
    ...policyEntries
      .filter((row) => !unchanged || (row.id.endsWith(':1') && !isChanged(row)))
      .map(({ index, core }) => ({ index, policy: core })),
    ...signals.filter(isOwn).map((signal) => ({ index: signal.index, signal })),
  ].sort((one, other) => one.index - other.index);
  const policies = new Map<string, PolicyVersion>();
  const breached = new Set<string>();
  const before: SignalRow[] = [];
  const breaches: SignalRow[] = [];
  for (const entry of ledger) {
    if ('policy' in entry) {
      const version = JSON.parse(entry.policy ?? '{}') as PolicyVersion;
      policies.set(version.policyId, version);
      continue;
    }
    before.push(entry.signal);
    for (const policy of policies.values()) {
      for (const { digest, rule } of enforcedRules(policy, 0)) {
        const key = `${policy.policyId} ${digest}`;
        if (breached.has(key) || !isTooMany(rule, before)) continue;
        breached.add(key);
        if (!breaches.includes(entry.signal)) breaches.push(entry.signal);
      }
    }
  }
  return breaches;
}

/** Whether the last signal counts and a window that contains it has more signals than the rule allows. */
function isTooMany(rule: PolicyRule, signals: readonly SignalRow[]): boolean {
  const last = signals.at(-1)!;
  if (!counts(rule, last)) return false;
  const times = signals
    .filter((signal) => counts(rule, signal))
    .map(({ createdAt }) => Date.parse(createdAt));
  const at = Date.parse(last.createdAt);
  const isInWindow = (end: number, time: number): boolean =>
    time > end - rule.windowDays * DAY_MS && time <= end;
  return times.some(
    (end) => isInWindow(end, at) && times.filter((time) => isInWindow(end, time)).length > rule.maxCount,
  );
}
