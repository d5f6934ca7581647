import * as contracts from '#schemas/api/evidence/incidents.ts';
import type { AddRoute } from '../../http/route.ts';
import * as changes from './change-incidents.ts';
import * as reads from './read-incidents.ts';

export function incidentRoutes(
  add: AddRoute,
  dependencies: changes.ChangeDependencies & reads.ReadDependencies,
): void {
  add(contracts.createIncident, ({ caller, body, sent }) =>
    changes.createIncident(dependencies, caller, body, sent.idempotency()),
  );
  add(contracts.listIncidents, async ({ caller, query }) => ({
    body: { success: true, ...(await reads.listIncidents(dependencies, caller.customerId, query)) },
  }));
  add(contracts.getIncident, async ({ caller, params }) => ({
    body: { success: true, data: await reads.readIncident(dependencies, caller.customerId, params.id) },
  }));
  add(contracts.moveIncident, ({ caller, params, body, sent, ifMatch }) =>
    changes.moveIncident(dependencies, caller, params.id, {
      ...body,
      seenVersion: ifMatch(),
      key: sent.idempotency(),
    }),
  );
}
