import { notifyBy } from '#core/evidence/incidents/deadlines.ts';
import { recordBudget } from '#core/plans/plans.ts';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import type { IncidentRecord } from '#records/incidents/incident-record.ts';
import type { Incidents } from '#records/incidents/incidents.ts';
import type { NewIncident } from '#records/incidents/open-incident.ts';
import type * as contracts from '#schemas/api/evidence/incidents.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { Caller } from '../../operations/caller.ts';
import type { ApiDependencies, RecordDependencies } from '../../operations/dependencies.ts';
import type { Seed } from '../../operations/ids.ts';
import type { Made, Once } from '../../operations/once.ts';
import { noSignal, refusalOfMove, refusalOfNew } from './refusals.ts';
import { shownIncident } from './shown-incident.ts';

export type ChangeDependencies = RecordDependencies &
  Pick<ApiDependencies, 'warehouse'> & { readonly incidents: Incidents };

/** Opens an incident on a signal, or shows its unended one. */
export async function createIncident<Answered>(
  dependencies: ChangeDependencies,
  caller: Caller,
  input: contracts.NewIncident,
  once: Once<Made<contracts.Incident>, Answered>,
): Promise<Answered> {
  const { incidents } = dependencies;
  const { customerId, customer } = caller;
  if (!isId(input.signalId)) throw noSignal();
  return once(async (seed) => {
    const made = await incidents.byId(customerId, seed.id);
    if (made !== null) return { data: await shown(dependencies, customerId, made), isNew: true };
    // Also after the signal was erased: its incident continues.
    const unended = await incidents.unendedOf(customerId, input.signalId);
    if (unended !== null) return { data: await shown(dependencies, customerId, unended), isNew: false };
    const signal = await findSignal(dependencies.warehouse, customerId, input.signalId);
    if (signal === null) throw noSignal();
    const opened = await incidents.open(await newIncident(dependencies, caller, input, signal, seed));
    if (!opened.ok) throw refusalOfNew(dependencies, customer, opened);
    return { data: await shown(dependencies, customerId, opened.record), isNew: opened.isNew };
  });
}

async function newIncident(
  { directory }: ChangeDependencies,
  { customerId, madeBy, customer }: Caller,
  { signalId, title, description, dueAt }: contracts.NewIncident,
  { auditId, riskLevel, violations, sandboxId, regulation }: SignalRow,
  { id, at }: Seed,
): Promise<NewIncident> {
  const sandbox = await directory.sandboxById(customerId, sandboxId);
  // Current regulations and those that applied to the signal, so that changing the sandbox removes no deadline.
  const deadline = notifyBy([...regulation, ...(sandbox?.regulations ?? [])], at);
  return {
    id,
    customerId,
    signalId,
    auditId,
    severity: riskLevel as RiskLevel,
    violations,
    title: title ?? defaultTitle(riskLevel, violations),
    description: description ?? null,
    createdAt: at,
    createdByKeyId: madeBy,
    dueAt: dueAt ?? deadline,
    notifyBy: deadline,
    budget: recordBudget(customer.plan, customer.sandboxQuota),
  };
}

const defaultTitle = (riskLevel: string, violations: readonly string[]): string =>
  violations.length === 0 ? `${riskLevel} signal` : `${riskLevel} signal: ${violations.join(', ')}`;

const NO_USER = 'required with an API key: name the user who makes the change';

export async function moveIncident<Answered>(
  dependencies: ChangeDependencies,
  { customerId, customer, madeBy, session }: Caller,
  incidentId: string,
  request: contracts.IncidentMove & { readonly seenVersion: number | null },
  once: Once<contracts.Incident, Answered>,
): Promise<Answered> {
  const { status: to, userRole: role, comment, resolution, seenVersion } = request;
  // A signed-in user acts as itself, whichever user the request names.
  const userId = session?.userId ?? request.userId;
  if (userId === undefined) throw invalid('userId', NO_USER);
  if (!isId(incidentId)) throw new Refusal('NOT_FOUND');
  return once(async ({ id: changeId, at }, takenOver) => {
    const result = await dependencies.incidents.move({
      customerId,
      incidentId,
      to,
      mover: { userId, role },
      assertedByKeyId: madeBy,
      comment: comment ?? null,
      resolution: to === 'RESOLVED' ? (resolution ?? null) : null,
      seenVersion,
      budget: recordBudget(customer.plan, customer.sandboxQuota),
      at,
      changeId,
      takenOver,
    });
    if (!result.ok) throw refusalOfMove(dependencies, customer, to, result);
    return shown(dependencies, customerId, result.record);
  });
}

/** The entry of a change is on its way to the chain, so its index is not known yet. */
const shown = async (
  { incidents }: ChangeDependencies,
  customerId: string,
  record: IncidentRecord,
): Promise<contracts.Incident> =>
  shownIncident(customerId, record, await incidents.history(customerId, record));
