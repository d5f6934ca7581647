import * as contracts from '#schemas/api/evidence/policies.ts';
import { orRolledBack } from '../../http/rolled-back.ts';
import type { AddRoute } from '../../http/route.ts';
import * as records from './policies.ts';
import { type ReportDependencies, readPolicyReport } from './report.ts';

export function policyRoutes(add: AddRoute, dependencies: ReportDependencies): void {
  add(contracts.createPolicy, ({ caller, body, sent }) =>
    records.createPolicy(dependencies, caller, body, sent.idempotency()),
  );
  add(contracts.listPolicies, async ({ caller, query }) => ({
    body: { success: true, ...(await records.listPolicies(dependencies, caller.customerId, query)) },
  }));
  add(contracts.getPolicy, async ({ caller, params }) => ({
    body: { success: true, data: await records.readPolicy(dependencies, caller.customerId, params.id) },
  }));
  add(contracts.updatePolicy, ({ caller, params, body, sent }) =>
    records.updatePolicy(dependencies, caller, params.id, body, sent.idempotency()),
  );
  add(contracts.deletePolicy, async ({ caller, params }) => ({
    body: { success: true, data: await records.deletePolicy(dependencies, caller, params.id) },
  }));
  add(contracts.getPolicyReport, async ({ caller, params, query }) => {
    const report = readPolicyReport(dependencies, caller.customerId, params.id, query.range);
    return { body: { success: true, data: await orRolledBack(report) } };
  });
}
