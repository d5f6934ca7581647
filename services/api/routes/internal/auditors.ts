import { createSharedAuditor, revokeSharedAuditor } from '#schemas/api/evidence/auditors/auditors.ts';
import type { AddRoute } from '../../plugins/route.ts';
import * as useCases from '../../use-cases/auditors/manage-auditors.ts';
import { envelope } from '../../use-cases/envelopes.ts';

export function sharedAuditorRoutes(add: AddRoute, dependencies: useCases.ManageDependencies): void {
  add(createSharedAuditor, ({ body, sent }) =>
    useCases.createSharedAuditor(dependencies, body, sent.idempotency()),
  );
  add(revokeSharedAuditor, async ({ params }) => ({
    body: envelope(await useCases.revokeSharedAuditor(dependencies, params.id)),
  }));
}
