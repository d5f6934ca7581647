import * as contracts from '#schemas/api/evidence/policies.ts';
import { changedEvidence, madeEvidence } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import { orRolledBack } from '../../operations/rolled-back.ts';
import * as records from './policies.ts';
import { type ReportDependencies, readPolicyReport } from './report.ts';

export function policyRoutes(add: AddRoute, dependencies: ReportDependencies): void {
  const once = onceOf(dependencies);
  add(contracts.createPolicy, ({ caller, body, sent }) =>
    records.createPolicy(dependencies, caller, body, once(caller.customerId, sent, madeEvidence)),
  );
  add(contracts.listPolicies, async ({ caller, query }) => ({
    body: { success: true, ...(await records.listPolicies(dependencies, caller.customerId, query)) },
  }));
  add(contracts.getPolicy, async ({ caller, params }) => ({
    body: { success: true, data: await records.readPolicy(dependencies, caller.customerId, params.id) },
  }));
  add(contracts.updatePolicy, ({ caller, params, body, sent }) =>
    records.updatePolicy(
      dependencies,
      caller,
      params.id,
      body,
      once(caller.customerId, sent, changedEvidence),
    ),
  );
  add(contracts.deletePolicy, async ({ caller, params }) => ({
    body: { success: true, data: await records.deletePolicy(dependencies, caller, params.id) },
  }));
  add(contracts.getPolicyReport, async ({ caller, params, query }) => {
    const report = readPolicyReport(dependencies, caller.customerId, params.id, query.range);
    return { body: { success: true, data: await orRolledBack(report) } };
  });
}
