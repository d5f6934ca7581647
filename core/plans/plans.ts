import type { RecordBudget } from '#schemas/record-budget.ts';
import type { Plan } from '#schemas/vocabulary.ts';

/** A customer's limits. Quotas: null means unlimited. */
interface PlanLimits {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Accepted ingests per UTC month. */
  readonly auditQuota: number | null;
  /** Sandboxes that are not deleted. */
  readonly sandboxQuota: number | null;
}

const PRO_MAX_RATE = { ratePerSecond: 500, burst: 2500 } as const;

/** ENTERPRISE is agreed per customer; without an agreement it has the highest rate and no quotas. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  DEV: { ratePerSecond: 10, burst: 50, auditQuota: 1_000, sandboxQuota: 1 },
  PRO: { ratePerSecond: 100, burst: 500, auditQuota: null, sandboxQuota: 10 },
  PRO_MAX: { ...PRO_MAX_RATE, auditQuota: null, sandboxQuota: 25 },
  ENTERPRISE: { ...PRO_MAX_RATE, auditQuota: null, sandboxQuota: null },
};

const MIB = 2 ** 20;

/** Far above normal use, and low enough that one customer cannot fill the state for all others. */
export const RECORD_BUDGETS: Readonly<Record<Plan, RecordBudget>> = {
  DEV: {
    versionsPerDay: 100,
    sandboxesEver: 100,
    apiKeysEver: 100,
    incidentsEver: 100,
    auditorsEver: 100,
    policies: 10,
    storedBytes: 4 * MIB,
  },
  PRO: {
    versionsPerDay: 1_000,
    sandboxesEver: 1_000,
    apiKeysEver: 1_000,
    incidentsEver: 2_000,
    auditorsEver: 1_000,
    policies: 50,
    storedBytes: 32 * MIB,
  },
  PRO_MAX: {
    versionsPerDay: 2_000,
    sandboxesEver: 2_500,
    apiKeysEver: 2_500,
    incidentsEver: 5_000,
    auditorsEver: 2_500,
    policies: 50,
    storedBytes: 64 * MIB,
  },
  ENTERPRISE: {
    versionsPerDay: 10_000,
    sandboxesEver: 10_000,
    apiKeysEver: 10_000,
    incidentsEver: 20_000,
    auditorsEver: 10_000,
    policies: 100,
    storedBytes: 256 * MIB,
  },
};

const GIB = 2 ** 30;

/**
 * Bytes that may be stored for Idempotency-Keys within a day: about 1.5 KB for an ingest, 1 KB plus 500 bytes per item
 * for a batch, twice its size for a sandbox. DEV has few audits; the other budgets last for 30 ingests a second (PRO)
 * all day.
 */
export const REMEMBERED_BYTES: Readonly<Record<Plan, number>> = {
  DEV: 64 * MIB,
  PRO: 4 * GIB,
  PRO_MAX: 16 * GIB,
  ENTERPRISE: 32 * GIB,
};

/** Evidence packages that a customer may keep, and their total bytes. Each package expires on its own. */
export const PACKAGE_BUDGETS: Readonly<Record<Plan, { readonly packages: number; readonly bytes: number }>> =
  {
    DEV: { packages: 5, bytes: 256 * MIB },
    PRO: { packages: 20, bytes: 4 * GIB },
    PRO_MAX: { packages: 40, bytes: 16 * GIB },
    ENTERPRISE: { packages: 60, bytes: 32 * GIB },
  };

/** Error text when the package limit is reached. */
export const packageLimitReached = (plan: Plan): string => {
  const { packages, bytes } = PACKAGE_BUDGETS[plan];
  return `${plan} plan limit of ${packages} kept packages, or of ${bytes / MIB} MiB of them, reached. Use one that is there, or wait until one expires. ${upgradeAdvice(plan)}`;
};

/** Sandboxes that may ever be created per sandbox in the quota, where the platform raised the quota. */
const SANDBOXES_EVER_PER_PLACE = 4;

/** The budget of a customer on this plan; it grows with a quota that the platform raised. */
export function recordBudget(plan: Plan, sandboxQuota: number | null): RecordBudget {
  const budget = RECORD_BUDGETS[plan];
  const sandboxesEver = Math.max(budget.sandboxesEver, SANDBOXES_EVER_PER_PLACE * (sandboxQuota ?? 0));
  return { ...budget, sandboxesEver };
}

/** Per-customer limits that override the plan's; null: the plan's limit applies. */
export interface LimitOverrides {
  readonly rate: number | null;
  readonly burst: number | null;
  readonly auditQuota: number | null;
  readonly sandboxQuota: number | null;
}

export const NO_OVERRIDES: LimitOverrides = { rate: null, burst: null, auditQuota: null, sandboxQuota: null };

/** The limits of a customer on this plan. */
export function resolveLimits(plan: Plan, overrides: LimitOverrides = NO_OVERRIDES): PlanLimits {
  const limits = PLAN_LIMITS[plan];
  return {
    ratePerSecond: overrides.rate ?? limits.ratePerSecond,
    burst: overrides.burst ?? limits.burst,
    auditQuota: overrides.auditQuota ?? limits.auditQuota,
    sandboxQuota: overrides.sandboxQuota ?? limits.sandboxQuota,
  };
}

const NEXT_PLAN: Readonly<Record<Plan, string | null>> = {
  DEV: 'PRO',
  PRO: 'PRO_MAX',
  PRO_MAX: 'ENTERPRISE',
  ENTERPRISE: null,
};

/** Text of the 403 for an exhausted quota. */
export const limitReached = (plan: Plan, what: 'audit' | 'sandbox', limit: number | null): string =>
  `${plan} plan ${what} limit of ${limit} reached. ${upgradeAdvice(plan)}`;

function upgradeAdvice(plan: Plan): string {
  const next = NEXT_PLAN[plan];
  return next === null ? 'Ask for a higher limit.' : `Upgrade to ${next}.`;
}

/** Error texts for exhausted budgets: what is exhausted, and what to do. */
export const BUDGET_TEXTS: Readonly<Record<keyof RecordBudget, (plan: Plan, limit: number) => string>> = {
  versionsPerDay: (plan, limit) =>
    `${plan} plan limit of ${limit} changes of sandboxes, policies and settings a day reached. Try again after 00:00 UTC; deleting is still possible. ${upgradeAdvice(plan)}`,
  sandboxesEver: (plan, limit) =>
    `${plan} plan limit of ${limit} sandboxes ever made reached; deleted ones count, for their slugs stay taken. Change one that is there instead. ${upgradeAdvice(plan)}`,
  apiKeysEver: (plan, limit) =>
    `${plan} plan limit of ${limit} API keys ever made reached; revoked ones count. Use one that is there. ${upgradeAdvice(plan)}`,
  incidentsEver: (plan, limit) =>
    `${plan} plan limit of ${limit} incidents ever opened reached; closed ones count. Reopen one that is there. ${upgradeAdvice(plan)}`,
  auditorsEver: (plan, limit) =>
    `${plan} plan limit of ${limit} auditors ever made reached; revoked and expired ones count. Use one that is there. ${upgradeAdvice(plan)}`,
  policies: (plan, limit) =>
    `${plan} plan limit of ${limit} policies reached. Delete one, or give one that is there more rules. ${upgradeAdvice(plan)}`,
  storedBytes: (plan, limit) =>
    `${plan} plan limit of ${limit / MIB} MiB of stored records reached. Old versions of sandboxes are archived 30 days after they were replaced. Until then, change sandboxes less often, use shorter rules, and leave out texts when you change the status of incidents. ${upgradeAdvice(plan)}`,
};
