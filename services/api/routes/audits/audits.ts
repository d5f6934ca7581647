import { getAudit } from '../../../../schemas/api/audits.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { awaitAudit, readAudit } from '../../use-cases/read-audit.ts';

export function auditListRoutes(add: AddRoute, parts: ApiParts): void {
  add(getAudit, async (call) => {
    const { customerId } = call.caller;
    const { wait } = call.query;
    const audit = wait
      ? await awaitAudit(parts, customerId, call.params.id, wait, call.gone)
      : await readAudit(parts, customerId, call.params.id);
    return { body: twice(audit) };
  });
}
