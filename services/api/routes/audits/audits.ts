import type { Directory } from '../../../../platform/directory/directory.ts';
import { getAudit, listAudits as listAuditsContract } from '../../../../schemas/api/audits.ts';
import type { CostlyTurns } from '../../costly-turns.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { createShares } from '../../shares.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { listAudits } from '../../use-cases/list-audits.ts';
import { awaitAudit, readAudit } from '../../use-cases/read-audit.ts';

type Parts = ApiParts & { readonly directory: Directory; readonly turns: Pick<CostlyTurns, 'read'> };

/** Answers of a process that are held at once, each for up to 30 s; of one customer, whom rate alone would allow thousands. */
const HELD = { total: 2_000, perCustomer: 200 };

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
  const held = createShares(HELD);
  add(listAuditsContract, async ({ caller, query }) => {
    const { audits, pagination } = await listAudits(parts, caller.customerId, query);
    const { total, page, limit } = pagination;
    return { body: { audits, total, page, limit, pagination } };
  });
  add(getAudit, async (call) => {
    const { customerId } = call.caller;
    const { wait } = call.query;
    const looking = lookingInTurns(parts, customerId, call);
    const { id } = call.params;
    // Without a place the answer is what there is now, as it would be when the time is up.
    const giveBack = wait ? held.take(customerId) : null;
    if (giveBack === null) return { body: twice(await readAudit(looking, customerId, id)) };
    const audit = await awaitAudit(looking, customerId, id, wait ?? 0, call.gone).finally(giveBack);
    return { body: twice(audit) };
  });
}
