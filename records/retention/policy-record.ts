import type { RetentionRule } from '#core/evidence/retention/policies.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, StoredDocument } from '#platform/state/port.ts';
import type { LedgerEvent } from '../changes/ledger-events.ts';

/**
 * Document `RETENTION_POLICIES`, id = policy id. Times are ISO 8601. A deleted policy stays, and applies to nothing.
 */
export interface RetentionPolicy extends RetentionRule {
  /** Starts at 1; raised by each change, each of which is an entry of the ledger. */
  readonly version: number;
  readonly name: string;
  /** As given by the customer; `sandboxId` decides. */
  readonly sandboxSlug: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** The request that made this version, by which a repeat finds it. */
  readonly changeId: string;
}
export const RETENTION_POLICIES = 'retentionPolicies';
export const RETENTION_POLICY_COLLECTIONS: readonly Collection[] = [
  customerCollection(RETENTION_POLICIES, DELETED),
];

export const retentionPolicyRef = (customerId: string, id: string) => ({
  scope: customerId,
  collection: RETENTION_POLICIES,
  id,
});

export const storedPolicy = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
  id: string,
): Promise<StoredDocument<RetentionPolicy> | null> =>
  documents.get<RetentionPolicy>(retentionPolicyRef(customerId, id));

/** Policies that are not deleted, in order of creation. */
export async function retentionPolicies(
  documents: Pick<Documents, 'list'>,
  customerId: string,
): Promise<RetentionPolicy[]> {
  const stored = await documents.list<RetentionPolicy>(customerId, RETENTION_POLICIES);
  return stored.map(({ value }) => value).filter(({ deletedAt }) => deletedAt === null);
}

/** The entry of a version. */
export const policyVersionEvent = (customerId: string, policy: RetentionPolicy): LedgerEvent => ({
  kind: 'POLICY_EVENT',
  id: `retention:${policy.id}:${policy.version}`,
  customerId,
  at: policy.updatedAt,
  core: {
    type: 'RETENTION',
    policyId: policy.id,
    version: policy.version,
    retentionDays: policy.retentionDays,
    framework: policy.framework,
    sandboxSlug: policy.sandboxSlug,
    action: policy.action,
    legalHold: policy.legalHold,
    active: policy.active,
    createdAt: policy.createdAt,
    deletedAt: policy.deletedAt,
  },
  detail: { name: policy.name },
});
