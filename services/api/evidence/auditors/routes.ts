import * as contracts from '#schemas/api/evidence/auditors/auditors.ts';
import type { AddRoute } from '../../http/route.ts';
import * as useCases from './manage-auditors.ts';

export function auditorRoutes(add: AddRoute, dependencies: useCases.ManageDependencies): void {
  add(contracts.createAuditor, ({ caller, body, sent }) =>
    useCases.createAuditor(dependencies, caller, body, sent.idempotency()),
  );
  add(contracts.listAuditors, async ({ caller, query }) => ({
    body: { success: true, ...(await useCases.listAuditors(dependencies, caller.customerId, query)) },
  }));
  add(contracts.revokeAuditor, async ({ caller, params }) => ({
    body: { success: true, data: await useCases.revokeAuditor(dependencies, caller.customerId, params.id) },
  }));
}
