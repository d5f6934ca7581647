import type { CustomerAdmission } from '#platform/state/port.ts';
import type { CustomerType, Plan } from '#schemas/vocabulary.ts';

/** Document `CUSTOMERS`, id = customer id, in the customer's own scope. Times are ISO 8601. */
export interface CustomerRecord extends CustomerAdmission {
  readonly id: string;
  readonly name: string;
  readonly type: CustomerType;
  readonly plan: Plan;
  /** Overrides set by the platform; null: the plan's values. The admission limits follow from plan and overrides. */
  readonly overrides: {
    readonly rate: number | null;
    readonly burst: number | null;
    readonly auditQuota: number | null;
    readonly sandboxQuota: number | null;
  };
  /** null: unlimited. */
  readonly sandboxQuota: number | null;
  readonly createdAt: string;
  /** How often sessions were ended early; absent: never. */
  readonly sessionEnds?: number;
  /** Set once erasure is requested; `active` is false from then on. */
  readonly erasure?: CustomerErasure;
}

/** Progress of a customer's erasure, as shown. */
interface CustomerErasure {
  readonly status: 'IN_PROGRESS' | 'COMPLETED';
  readonly requestedAt: string;
  readonly completedAt?: string;
}
