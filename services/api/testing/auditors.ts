import { AUDITOR_PERMISSIONS } from '#schemas/vocabulary.ts';
import type { Harness, TestCustomer } from './harness.ts';

export interface TestAuditor {
  readonly id: string;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An auditor of the customer with every permission that `limits` do not remove. */
export async function makeAuditor(
  harness: Harness,
  customer: TestCustomer,
  limits: object = {},
): Promise<TestAuditor> {
  const made = await harness.call({
    method: 'POST',
    url: '/evidence/auditors',
    headers: customer.headers,
    payload: { name: 'Ann Auditor', permissions: AUDITOR_PERMISSIONS, ...limits },
  });
  const { id, token } = made.body.data;
  return { id, token, headers: { authorization: `Bearer ${token}` } };
}
