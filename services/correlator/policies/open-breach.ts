import { notifyBy } from '#core/evidence/incidents/deadlines.ts';
import { isEnded } from '#core/evidence/incidents/transitions.ts';
import { breachIncidentId, type EnforcedRule, type FoldedSignal } from '#core/evidence/policies/enforced.ts';
import { ANY_CODE } from '#core/evidence/policies/rules.ts';
import { recordBudget } from '#core/plans/plans.ts';
import { KeyDestroyed } from '#platform/sealing/port.ts';
import { CUSTOMERS, type Documents } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '#records/changes/ledger-events.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import { openIncident } from '#records/incidents/open-incident.ts';
import { incidentById } from '#records/incidents/read-incident.ts';
import {
  incidentOfRule,
  noteRuleIncident,
  policyIncidentWrite,
  ruleIncidentWrite,
} from '#records/policies/enforcement-records.ts';
import { sandboxById } from '#records/sandboxes/sandboxes.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';

export interface BreachDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  /** Unix ms. */
  readonly now: () => number;
}

/** Outcome of a breach. `FOUND`: its signal had an open incident; `FULL`: the plan allows no more incidents. */
export type BreachOutcome = 'OPENED' | 'FOUND' | 'FULL' | 'CLOSED';

/** Whether the incident that a rule last opened or found is still open. */
export async function hasOpenIncident(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  rule: EnforcedRule,
): Promise<boolean> {
  const id = await incidentOfRule(documents, customerId, rule);
  if (id === null) return false;
  const incident = await incidentById(documents, customerId, id);
  return incident !== null && !isEnded(incident.status);
}

/**
 * Opens the incident of a breach, and in the same write notes that it belongs to the rule. Its id is a function of the
 * breach: a repeat finds it, open or ended, and opens none.
 */
export async function openBreach(
  { documents, makeEntry, announce, now }: BreachDependencies,
  customerId: string,
  rule: EnforcedRule,
  signal: FoldedSignal,
): Promise<BreachOutcome> {
  const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
  const customer = (await documents.get<CustomerRecord>(ref))?.value;
  if (customer === undefined || !customer.active) return 'CLOSED';
  const id = breachIncidentId(customerId, rule, signal.auditId);
  const at = new Date(now()).toISOString();
  const sandbox = await sandboxById(documents, customerId, signal.sandboxId);
  const deadline = notifyBy([...signal.regulation, ...(sandbox?.regulations ?? [])], at);
  const opened = await openIncident(
    { documents, makeEntry, announce },
    {
      id,
      customerId,
      signalId: signal.auditId,
      auditId: signal.auditId,
      severity: signal.riskLevel as RiskLevel,
      violations: signal.violations,
      title: titleOf(rule),
      description: `Opened by policy ${rule.policyId}, version ${rule.version}`,
      createdAt: at,
      createdByKeyId: null,
      dueAt: deadline,
      notifyBy: deadline,
      budget: recordBudget(customer.plan, customer.sandboxQuota),
      beside: async () => [
        await ruleIncidentWrite(documents, customerId, rule, id),
        policyIncidentWrite(rule.policyId, id, Date.parse(at)),
      ],
    },
  ).catch((error: unknown) => {
    // The customer was erased meanwhile.
    if (error instanceof KeyDestroyed) return null;
    throw error;
  });
  if (opened === null) return 'CLOSED';
  if (opened.ok && opened.record.id === id) return 'OPENED';
  if (opened.ok) {
    // From now on the signal's open incident belongs to the rule.
    await noteRuleIncident(documents, customerId, rule, opened.record.id);
    return 'FOUND';
  }
  return 'FULL';
}

function titleOf({ rule: { code, minRiskLevel, maxCount, windowDays } }: EnforcedRule): string {
  const what = code === ANY_CODE ? 'signals with violations' : code;
  const period = windowDays === 1 ? '1 day' : `${windowDays} days`;
  return `Policy breached: ${what}, ${minRiskLevel} or above, more than ${maxCount} in ${period}`;
}
