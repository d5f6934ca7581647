import type { Plan } from '../../schemas/vocabulary.ts';

/** What a customer may do. Quotas: null means unlimited. */
export interface PlanLimits {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Accepted ingests per UTC month. */
  readonly auditQuota: number | null;
  /** Sandboxes that are not deleted. */
  readonly sandboxQuota: number | null;
}

const PRO_MAX_RATE = { ratePerSecond: 500, burst: 2500 } as const;

/** ENTERPRISE is agreed per customer; without an agreement it has the largest rate and no quotas. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  DEV: { ratePerSecond: 10, burst: 50, auditQuota: 1_000, sandboxQuota: 1 },
  PRO: { ratePerSecond: 100, burst: 500, auditQuota: null, sandboxQuota: 10 },
  PRO_MAX: { ...PRO_MAX_RATE, auditQuota: null, sandboxQuota: 25 },
  ENTERPRISE: { ...PRO_MAX_RATE, auditQuota: null, sandboxQuota: null },
};

/** Per-customer numbers that replace the plan's; null: the plan's stands. */
export interface LimitOverrides {
  readonly rate: number | null;
  readonly burst: number | null;
  readonly auditQuota: number | null;
  readonly sandboxQuota: number | null;
}

export const NO_OVERRIDES: LimitOverrides = { rate: null, burst: null, auditQuota: null, sandboxQuota: null };

/** The limits that hold for a customer of this plan. */
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

/** Text of the 403 for a used-up quota. */
export function limitReached(plan: Plan, what: 'audit' | 'sandbox', limit: number | null): string {
  const next = NEXT_PLAN[plan];
  const advice = next === null ? 'Ask for a higher limit.' : `Upgrade to ${next}.`;
  return `${plan} plan ${what} limit of ${limit} reached. ${advice}`;
}
