import { viewOf } from '#records/auditors/auditor-view.ts';
import { auditIncident, auditIncidents } from '#schemas/api/evidence/auditors/auditor-view.ts';
import * as contracts from '#schemas/api/evidence/incidents.ts';
import { changedEvidence, evidence, madeEvidence } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import * as changes from './change-incidents.ts';
import * as reads from './read-incidents.ts';

export function incidentRoutes(
  add: AddRoute,
  dependencies: changes.ChangeDependencies & reads.ReadDependencies,
): void {
  const once = onceOf(dependencies);
  add(contracts.createIncident, ({ caller, body, sent }) =>
    changes.createIncident(dependencies, caller, body, once(caller.customerId, sent, madeEvidence)),
  );
  add(contracts.listIncidents, async ({ caller, query }) => ({
    body: { success: true, ...(await reads.listIncidents(dependencies, caller.customerId, query)) },
  }));
  add(contracts.getIncident, async ({ caller, params }) => ({
    body: evidence(await reads.readIncident(dependencies, caller.customerId, params.id)),
  }));
  add(contracts.moveIncident, ({ caller, params, body, sent, ifMatch }) =>
    changes.moveIncident(
      dependencies,
      caller,
      params.id,
      { ...body, seenVersion: ifMatch() },
      once(caller.customerId, sent, changedEvidence),
    ),
  );
}

/** What an auditor may read of incidents, within the limits of the token. */
export function auditorIncidentRoutes(add: AddRoute, dependencies: reads.ReadDependencies): void {
  add(auditIncidents, async ({ caller: { customerId, auditor }, query }) => ({
    body: { success: true, ...(await reads.listIncidents(dependencies, customerId, query, viewOf(auditor))) },
  }));
  add(auditIncident, async ({ caller: { customerId, auditor }, params }) => ({
    body: evidence(await reads.readIncident(dependencies, customerId, params.id, viewOf(auditor))),
  }));
}
