import { type DocumentWrite, SANDBOX_SLUGS, type SandboxHead } from '../state/port.ts';
import { normaliseSlug, SANDBOX_VERSIONS, type SandboxRecord, sandboxVersionId } from './records.ts';

/**
 * What is written with every version of a sandbox, beside the record itself: the immutable version, and what admission
 * reads by the slug. Both stand in one atomic write with the record, whose expected version guards all of them.
 */
export function versionWrites(record: SandboxRecord): DocumentWrite[] {
  const head: SandboxHead = {
    sandboxId: record.id,
    sandboxVersion: record.version,
    slug: record.slug,
    active: record.active,
    deleted: record.deletedAt !== null,
  };
  const isFirst = record.version === 1;
  return [
    {
      collection: SANDBOX_SLUGS,
      id: normaliseSlug(record.slug),
      expectedVersion: isFirst ? 0 : undefined,
      value: head,
    },
    {
      collection: SANDBOX_VERSIONS,
      id: sandboxVersionId(record.id, record.version),
      expectedVersion: 0,
      value: record,
    },
  ];
}

/** Free text of a person (name, rules) is detail; what decides how audits are judged is core. */
export function policyEvent(customerId: string, record: SandboxRecord) {
  const { id, name, customRules, createdAt, updatedAt, deletedAt, changeId: _changeId, ...rules } = record;
  return {
    kind: 'POLICY_EVENT',
    id: `sandbox:${sandboxVersionId(id, record.version)}`,
    customerId,
    at: updatedAt,
    core: { type: 'SANDBOX', sandboxId: id, ...rules, createdAt, deletedAt },
    detail: { name, customRules },
  } as const;
}
