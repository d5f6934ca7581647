import { createSharedAuditor, revokeSharedAuditor } from '#schemas/api/evidence/auditors/auditors.ts';
import { envelope } from '../../http/envelopes.ts';
import type { AddRoute } from '../../http/route.ts';
import * as useCases from './manage-auditors.ts';

export function sharedAuditorRoutes(add: AddRoute, dependencies: useCases.ManageDependencies): void {
  add(createSharedAuditor, ({ body, sent }) =>
    useCases.createSharedAuditor(dependencies, body, sent.idempotency()),
  );
  add(revokeSharedAuditor, async ({ params }) => ({
    body: envelope(await useCases.revokeSharedAuditor(dependencies, params.id)),
  }));
}
