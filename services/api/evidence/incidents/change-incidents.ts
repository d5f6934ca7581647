import { notifyBy } from '#core/evidence/incidents/deadlines.ts';
import { recordBudget } from '#core/plans/plans.ts';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import type { IncidentRecord } from '#records/incidents/incident-record.ts';
import type { Incidents } from '#records/incidents/incidents.ts';
import type { NewIncident } from '#records/incidents/open-incident.ts';
import type * as contracts from '#schemas/api/evidence/incidents.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { Caller } from '../../http/authentication/authentication.ts';
import { idempotently } from '../../http/idempotently.ts';
import type { Answer } from '../../http/route.ts';
import type { ApiDependencies, RecordDependencies } from '../../operations/dependencies.ts';
import { newSeed, type Seed } from '../../operations/ids.ts';
import { noSignal, refusalOfMove, refusalOfNew } from './refusals.ts';
import { shownIncident } from './shown-incident.ts';

export type ChangeDependencies = RecordDependencies &
  Pick<ApiDependencies, 'warehouse'> & { readonly incidents: Incidents };

/** Opens an incident on a signal, or shows the one that has not ended. */
export async function createIncident(
  dependencies: ChangeDependencies,
  caller: Caller,
  input: contracts.NewIncident,
  key: IdempotencyKey | null,
): Promise<Answer> {
  const { incidents } = dependencies;
  const { customerId, customer } = caller;
  if (!isId(input.signalId)) throw noSignal();
  return idempotently(dependencies, customerId, key, newSeed(dependencies), async (seed) => {
    const made = await incidents.byId(customerId, seed.id);
    if (made !== null) return { shown: await shown(dependencies, customerId, made), statusCode: 201 };
    // Also after the signal was erased: its incident goes on.
    const unended = await incidents.unendedOf(customerId, input.signalId);
    if (unended !== null) return { shown: await shown(dependencies, customerId, unended), statusCode: 200 };
    const signal = await findSignal(dependencies.warehouse, customerId, input.signalId);
    if (signal === null) throw noSignal();
    const opened = await incidents.open(await newIncident(dependencies, caller, input, signal, seed));
    if (!opened.ok) throw refusalOfNew(dependencies, customer, opened);
    return {
      shown: await shown(dependencies, customerId, opened.record),
      statusCode: opened.isNew ? 201 : 200,
    };
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
  // Those of today and those that the signal was judged by, so that a change of the sandbox takes no deadline away.
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

const NO_USER = 'required with an API key: send the name of the user who moves the incident';

export async function moveIncident(
  dependencies: ChangeDependencies,
  { customerId, customer, madeBy, session }: Caller,
  incidentId: string,
  request: contracts.IncidentMove & {
    readonly seenVersion: number | null;
    readonly key: IdempotencyKey | null;
  },
): Promise<Answer> {
  const { key, status: to, userRole: role, comment, resolution, seenVersion } = request;
  // A signed-in user acts as itself, whoever the request names.
  const userId = session?.userId ?? request.userId;
  if (userId === undefined) throw invalid('userId', NO_USER);
  if (!isId(incidentId)) throw new Refusal('NOT_FOUND');
  return idempotently(
    dependencies,
    customerId,
    key,
    newSeed(dependencies),
    async ({ id: changeId, at }, takenOver) => {
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
      return { shown: await shown(dependencies, customerId, result.record), statusCode: 200 };
    },
  );
}

/** The entry of a change is on its way to the chain: its place there is not known yet. */
async function shown({ incidents }: ChangeDependencies, customerId: string, record: IncidentRecord) {
  const history = await incidents.history(customerId, record);
  return { success: true, data: shownIncident(customerId, record, history) };
}
