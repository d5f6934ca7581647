import { type Change, changeDocument, unchanged } from '#platform/state/change-document.ts';
import { type Collection, deletedBy, systemCollection } from '#platform/state/collection.ts';
import { type Documents, type StoredDocument, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { type Announce, type EntryMaker, laterOf } from '../changes/ledger-events.ts';
import { lostRef } from '../changes/older-document.ts';
import {
  HOLDS_NAME,
  holdsEvent,
  holdsRef,
  holdsWith,
  LEGAL_HOLDS,
  type LegalHolds,
  storedHolds,
} from './legal-holds.ts';
import {
  policyVersionEvent,
  RETENTION_POLICIES,
  type RetentionPolicy,
  retentionPolicyRef,
} from './policy-record.ts';

/** Policies that a customer may create, including deleted ones. */
export const MAX_POLICIES = 100;
/** Changes of one policy: each is an entry of the ledger. */
export const MAX_POLICY_VERSIONS = 1_000;

/** In the system's scope, id = customer id: customers with policies, for the daily runs. */
export const RETENTION_CUSTOMERS = 'retentionCustomers';
export const RETENTION_CUSTOMER_COLLECTIONS: readonly Collection[] = [
  systemCollection(RETENTION_CUSTOMERS, deletedBy('the next retention run of the customer')),
];

export interface PolicyDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

export type PolicyFields = Pick<
  RetentionPolicy,
  'name' | 'retentionDays' | 'framework' | 'sandboxSlug' | 'sandboxId' | 'action' | 'legalHold' | 'active'
>;

interface PolicyChange {
  readonly customerId: string;
  readonly policyId: string;
  /** The request that makes the change. */
  readonly changeId: string;
  /** ISO 8601. */
  readonly at: string;
  /** The user who makes it; personal. */
  readonly actor: string;
}

export type ChangedPolicy =
  | { readonly ok: true; readonly policy: RetentionPolicy }
  | { readonly ok: false; readonly reason: 'NOT_FOUND' | 'LIMIT' | 'VERSIONS' };

/** Creates a policy, or returns the one created by an earlier attempt with the same id. */
export function createPolicy(
  dependencies: PolicyDependencies,
  change: PolicyChange,
  fields: PolicyFields,
): Promise<ChangedPolicy> {
  const { documents } = dependencies;
  const { customerId, policyId, changeId, at } = change;
  const policy: RetentionPolicy = {
    ...fields,
    id: policyId,
    version: 1,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
    changeId,
  };
  let isListed = false;
  const ref = retentionPolicyRef(customerId, policyId);
  return changeDocument<RetentionPolicy, ChangedPolicy>(dependencies, ref, async (existing) => {
    if (existing !== null) return unchanged({ ok: true, policy: existing.value });
    if ((await documents.ids(customerId, RETENTION_POLICIES)).length >= MAX_POLICIES)
      return unchanged({ ok: false, reason: 'LIMIT' });
    // Written first: policies of a customer that is not in the work list would never apply.
    if (!isListed)
      await documents.write(SYSTEM_SCOPE, [
        { collection: RETENTION_CUSTOMERS, id: customerId, value: { at } },
      ]);
    isListed = true;
    return changeTo(dependencies, change, policy);
  });
}

/**
 * Changes a policy. `changed` returns the new fields for the current policy; it may throw to refuse, and is called
 * again when another change was written first. A repeat returns the first attempt's result.
 */
export function changePolicy(
  dependencies: PolicyDependencies,
  change: PolicyChange,
  changed: (policy: RetentionPolicy) => Partial<PolicyFields & Pick<RetentionPolicy, 'deletedAt'>>,
): Promise<ChangedPolicy> {
  const { customerId, policyId, changeId, at } = change;
  const ref = retentionPolicyRef(customerId, policyId);
  return changeDocument<RetentionPolicy, ChangedPolicy>(dependencies, ref, async (stored) => {
    if (stored !== null && stored.value.changeId === changeId)
      return unchanged({ ok: true, policy: stored.value });
    if (stored === null || stored.value.deletedAt !== null)
      return unchanged({ ok: false, reason: 'NOT_FOUND' });
    const { value: before } = stored;
    const after = changed(before);
    // Deletion must always be possible.
    if (before.version >= MAX_POLICY_VERSIONS && after.deletedAt === undefined)
      return unchanged({ ok: false, reason: 'VERSIONS' });
    const updatedAt = laterOf(at, before.updatedAt);
    const policy = { ...before, ...after, version: before.version + 1, updatedAt, changeId };
    return changeTo(dependencies, change, policy);
  });
}

/** One write: the policy, the holds if they change with it, and an entry for each. */
async function changeTo(
  { documents, makeEntry }: PolicyDependencies,
  { customerId, actor }: PolicyChange,
  policy: RetentionPolicy,
): Promise<Change<RetentionPolicy, ChangedPolicy>> {
  const held = await storedHolds(documents, customerId);
  const lostNote = lostRef('POLICY_EVENT', holdsRef(customerId), HOLDS_NAME);
  const lost = held === null ? ((await documents.get<number>(lostNote))?.value ?? 0) : 0;
  const holds = holdsWith(held?.value ?? null, lost, policy);
  return {
    value: policy,
    entries: [await makeEntry(policyVersionEvent(customerId, policy))],
    others: [
      holds === null
        ? unchangedHolds(customerId, held)
        : {
            collection: LEGAL_HOLDS,
            id: customerId,
            expectedVersion: held?.version ?? 0,
            value: holds,
            entries: [await makeEntry(holdsEvent(customerId, holds, policy.updatedAt, actor))],
          },
    ],
    result: { ok: true, policy },
  };
}

/** The holds' change was decided on the version that was read. */
const unchangedHolds = (customerId: string, held: StoredDocument<LegalHolds> | null) => ({
  collection: LEGAL_HOLDS,
  id: customerId,
  expectedVersion: held?.version ?? 0,
  value: null,
  unchanged: true as const,
});
