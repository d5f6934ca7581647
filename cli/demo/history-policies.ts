import { createPolicy, getPolicyReport, listPolicies } from '#schemas/endpoints.ts';
import type { PolicyStatus } from '#schemas/vocabulary.ts';
import { dataOf } from './tour.ts';
import type { Workspace } from './workspace.ts';

/** A policy that the history violates, and one that it complies with. */
const POLICIES = [
  {
    name: 'No secrets in code prompts',
    description: 'At most 5 leaked secrets in 30 days.',
    framework: 'SOC2',
    sandboxSlugs: ['code-assistant'],
    rules: [{ code: 'SECRET_LEAK', minRiskLevel: 'HIGH', maxCount: 5, windowDays: 30, action: 'ALERT' }],
    status: 'FAIL',
  },
  {
    name: 'No child abuse material',
    description: 'Not one signal, in any sandbox.',
    framework: 'EU_AI_ACT',
    sandboxSlugs: [],
    rules: [{ code: 'CSAM', minRiskLevel: 'LOW', maxCount: 0, windowDays: 30, action: 'ALERT' }],
    status: 'PASS',
  },
] as const;

interface Policy {
  readonly id: string;
  readonly name: string;
}

interface PolicyOutcome {
  readonly name: string;
  readonly status: PolicyStatus;
  /** Whether its status is the one the history should produce. */
  readonly isExpected: boolean;
}

/** Creates the missing policies, and returns the status of each. */
export async function createPolicies({ client }: Workspace): Promise<PolicyOutcome[]> {
  const listed = dataOf<Policy[]>(await client.call(listPolicies, { query: { limit: 100 } }));
  const missing = POLICIES.filter(({ name }) => listed.every((policy) => policy.name !== name));
  const outcomes: PolicyOutcome[] = [];
  for (const { status: expected, ...body } of missing) {
    const { id } = dataOf<Policy>(await client.call(createPolicy, { body }));
    const report = await client.call(getPolicyReport, { params: { id } });
    const { status } = dataOf<{ status: PolicyStatus }>(report);
    outcomes.push({ name: body.name, status, isExpected: status === expected });
  }
  return outcomes;
}
