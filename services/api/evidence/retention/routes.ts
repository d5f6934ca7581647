import * as contracts from '#schemas/api/evidence/retention/policies.ts';
import { getRetentionStatus } from '#schemas/api/evidence/retention/status.ts';
import { changedEvidence, evidence, madeEvidence } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import * as policies from './policies.ts';
import { retentionStatus } from './status.ts';

export function retentionPolicyRoutes(add: AddRoute, dependencies: policies.RetentionDependencies): void {
  const once = onceOf(dependencies);
  add(contracts.createRetentionPolicy, ({ caller, body, sent }) =>
    policies.createRetentionPolicy(dependencies, caller, body, once(caller.customerId, sent, madeEvidence)),
  );
  add(contracts.listRetentionPolicies, async ({ caller, query }) => ({
    body: {
      success: true as const,
      ...(await policies.listRetentionPolicies(dependencies, caller.customerId, query)),
    },
  }));
  add(contracts.getRetentionPolicy, async ({ caller, params }) => ({
    body: {
      success: true as const,
      data: await policies.readRetentionPolicy(dependencies, caller.customerId, params.id),
    },
  }));
  add(contracts.updateRetentionPolicy, ({ caller, params, body, sent }) =>
    policies.updateRetentionPolicy(
      dependencies,
      caller,
      params.id,
      body,
      once(caller.customerId, sent, changedEvidence),
    ),
  );
  add(contracts.deleteRetentionPolicy, async ({ caller, params }) => ({
    body: evidence(await policies.deleteRetentionPolicy(dependencies, caller, params.id)),
  }));
  add(getRetentionStatus, async ({ caller }) => ({
    body: { success: true as const, data: await retentionStatus(dependencies, caller.customerId) },
  }));
}
