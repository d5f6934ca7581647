import type { Directory } from '../../../../platform/directory/directory.ts';
import { getAudit, listAudits as listAuditsContract } from '../../../../schemas/api/audits.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { listAudits } from '../../use-cases/list-audits.ts';
import { awaitAudit, readAudit } from '../../use-cases/read-audit.ts';

export function auditListRoutes(add: AddRoute, parts: ApiParts & { readonly directory: Directory }): void {
  add(listAuditsContract, async ({ caller, query }) => {
    const { audits, pagination } = await listAudits(parts, caller.customerId, query);
    const { total, page, limit } = pagination;
    return { body: { audits, total, page, limit, pagination } };
  });
  add(getAudit, async (call) => {
    const { customerId } = call.caller;
    const { wait } = call.query;
    const audit = wait
      ? await awaitAudit(parts, customerId, call.params.id, wait, call.gone)
      : await readAudit(parts, customerId, call.params.id);
    return { body: twice(audit) };
  });
}
