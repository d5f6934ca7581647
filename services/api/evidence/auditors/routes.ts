import * as contracts from '#schemas/api/evidence/auditors/auditors.ts';
import { evidence } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import * as operations from './manage-auditors.ts';

/** A repeated request does not see the token. */
const issued = ({ auditor, token }: operations.Issued) =>
  token === null
    ? { shown: evidence(auditor) }
    : { shown: evidence({ ...auditor, token }), remembered: evidence(auditor) };

export function auditorRoutes(add: AddRoute, dependencies: operations.ManageDependencies): void {
  const once = onceOf(dependencies);
  add(contracts.createAuditor, ({ caller, body, sent }) =>
    operations.createAuditor(dependencies, caller, body, once(caller.customerId, sent, issued)),
  );
  add(contracts.listAuditors, async ({ caller, query }) => ({
    body: { success: true, ...(await operations.listAuditors(dependencies, caller.customerId, query)) },
  }));
  add(contracts.revokeAuditor, async ({ caller, params }) => ({
    body: { success: true, data: await operations.revokeAuditor(dependencies, caller.customerId, params.id) },
  }));
}
