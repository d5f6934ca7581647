import { BUDGET_TEXTS, recordBudget } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { ErrorCode } from '#schemas/errors.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';

const CODES: Readonly<Record<keyof RecordBudget, ErrorCode>> = {
  versionsPerDay: 'SANDBOX_CHANGES_REACHED',
  sandboxesEver: 'SANDBOX_TOTAL_REACHED',
  apiKeysEver: 'API_KEY_LIMIT_REACHED',
  incidentsEver: 'INCIDENT_LIMIT_REACHED',
  auditorsEver: 'AUDITOR_TOTAL_REACHED',
  policies: 'POLICY_LIMIT_REACHED',
  storedBytes: 'STORAGE_LIMIT_REACHED',
};

const DAY_MS = 86_400_000;

/** The refusal of a change that exceeds the customer's budget. */
export function beyondBudget(
  { now }: { readonly now: () => number },
  { plan, sandboxQuota }: CustomerRecord,
  exceeded: keyof RecordBudget,
): Refusal {
  const message = BUDGET_TEXTS[exceeded](plan, recordBudget(plan, sandboxQuota)[exceeded]);
  if (exceeded !== 'versionsPerDay') return new Refusal(CODES[exceeded], { message });
  const seconds = Math.ceil((DAY_MS - (now() % DAY_MS)) / 1_000);
  return new Refusal(CODES[exceeded], { message, retryAfterSeconds: seconds });
}
