import type { Directory } from '../../../../platform/directory/directory.ts';
import { getAudit, listAudits as listAuditsContract } from '../../../../schemas/api/audits.ts';
import type { CostlyTurns } from '../../costly-turns.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { listAudits } from '../../use-cases/list-audits.ts';
import { awaitAudit, readAudit } from '../../use-cases/read-audit.ts';

type Parts = ApiParts & { readonly directory: Directory; readonly turns: Pick<CostlyTurns, 'read'> };

/** A held answer looks again and again: each look takes its turn, and none while it waits. */
const lookingInTurns = (
  { turns, ...parts }: Parts,
  customerId: string,
  call: { readonly gone: AbortSignal },
): ApiParts => ({
  ...parts,
  warehouse: {
    ...parts.warehouse,
    query: (...query) => turns.read.during(customerId, call, () => parts.warehouse.query(...query)),
  },
});

export function auditListRoutes(add: AddRoute, parts: Parts): void {
  add(listAuditsContract, async ({ caller, query }) => {
    const { audits, pagination } = await listAudits(parts, caller.customerId, query);
    const { total, page, limit } = pagination;
    return { body: { audits, total, page, limit, pagination } };
  });
  add(getAudit, async (call) => {
    const { customerId } = call.caller;
    const { wait } = call.query;
    const looking = lookingInTurns(parts, customerId, call);
    const audit = wait
      ? await awaitAudit(looking, customerId, call.params.id, wait, call.gone)
      : await readAudit(looking, customerId, call.params.id);
    return { body: twice(audit) };
  });
}
