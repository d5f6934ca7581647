import type { Directory } from '#records/directory.ts';
import { getAudit, listAudits as listAuditsContract } from '#schemas/api/audits.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import { type CostlyWork, readingInTurns } from '../operations/limits/costly-work.ts';
import { createCustomerPermits } from '../operations/limits/customer-permits.ts';
import { awaitAudit, readAudit } from '../operations/read-audit.ts';
import { listAudits } from './list-audits.ts';

type Dependencies = ApiDependencies & {
  readonly directory: Directory;
  readonly costly: Pick<CostlyWork, 'read'>;
};

/** Delayed answers per process, each for up to 30 s; and per customer, because the rate alone would allow thousands. */
const HELD = { total: 2_000, perCustomer: 200 };

export function auditListRoutes(add: AddRoute, dependencies: Dependencies): void {
  const held = createCustomerPermits(HELD);
  add(listAuditsContract, async ({ caller, query }) => {
    const { audits, pagination } = await listAudits(dependencies, caller.customerId, query);
    const { total, page, limit } = pagination;
    return { body: { audits, total, page, limit, pagination } };
  });
  add(getAudit, async (call) => {
    const { customerId } = call.caller;
    const { wait } = call.query;
    const looking = readingInTurns(dependencies, call.caller, call);
    const { id } = call.params;
    // Without a permit the answer is the current state, as if the time were up.
    const release = wait ? held.take(customerId) : null;
    if (release === null) return { body: envelope(await readAudit(looking, customerId, id)) };
    const audit = await awaitAudit(looking, customerId, id, wait ?? 0, call.gone).finally(release);
    return { body: envelope(audit) };
  });
}
