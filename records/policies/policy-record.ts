import type { PolicyRule } from '#core/evidence/policies/rules.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { DocumentWrite } from '#platform/state/port.ts';
import { fieldsOf } from '#schemas/ledger/definition.ts';
import { POLICY_SHAPE } from '#schemas/ledger/policy-event.v1.ts';
import type { Framework, PolicyEnforcement } from '#schemas/vocabulary.ts';

/** Settings that a change of a policy may contain. */
export interface PolicySettings {
  readonly name: string;
  readonly description: string | null;
  readonly framework: Framework;
  /** As spelled by their sandboxes; empty: all sandboxes. */
  readonly sandboxSlugs: readonly string[];
  /** At least one. */
  readonly rules: readonly PolicyRule[];
  readonly enforcement: PolicyEnforcement;
  readonly active: boolean;
}

/** Document `POLICIES`, id = policy id. Times are ISO 8601. */
export interface PolicyRecord extends PolicySettings {
  readonly id: string;
  /** Starts at 1; raised by each change, each of which is an entry of the ledger. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
}

export const POLICIES = 'policies';
/** `true`, id = policy id: policies that are not deleted, so that lists read no others. */
export const LIVE_POLICIES = 'livePolicies';
/**
 * `{ changeId, at }`, id = `<policy id>:<version>`: the request that made the version, by which a repeat finds it. The
 * content of the version is in its ledger entry.
 */
export const POLICY_CHANGES = 'policyChanges';

export interface PolicyChangeMark {
  readonly changeId: string;
  /** ISO 8601. */
  readonly at: string;
}

export const POLICY_COLLECTIONS: readonly Collection[] = [
  customerCollection(POLICIES, DELETED),
  customerCollection(LIVE_POLICIES, DELETED),
  customerCollection(POLICY_CHANGES, DELETED),
];

export const policyRef = (customerId: string, id: string) => ({
  scope: customerId,
  collection: POLICIES,
  id,
});

export const policyVersionId = (policyId: string, version: number): string => `${policyId}:${version}`;

/** Whether lists and enforcement read the policy. */
export const livePolicyWrite = ({ id, deletedAt }: PolicyRecord): DocumentWrite => ({
  collection: LIVE_POLICIES,
  id,
  value: deletedAt === null ? true : null,
});

/** Exactly the fields that the entry's definition names, whatever the record may contain later. */
export function policyVersionEvent(customerId: string, record: PolicyRecord) {
  const { core, detail } = POLICY_SHAPE;
  return {
    kind: 'POLICY_EVENT',
    id: `policy:${policyVersionId(record.id, record.version)}`,
    customerId,
    at: record.updatedAt,
    core: fieldsOf(core, { ...record, type: 'POLICY', policyId: record.id }),
    detail: fieldsOf(detail, record),
  } as const;
}
