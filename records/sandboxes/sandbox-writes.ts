import { type DocumentWrite, SANDBOX_SLUGS, type SandboxHead } from '#platform/state/port.ts';
import { fieldsOf, presentFields } from '#schemas/ledger/definition.ts';
import { SANDBOX_EVENT } from '#schemas/ledger/policy-event.v1.ts';
import {
  normaliseSlug,
  SANDBOX_VERSIONS,
  type SandboxRecord,
  sandboxVersionId,
} from '../documents/sandbox-record.ts';

/**
 * Writes that belong to every version of a sandbox besides the record itself: the immutable version, and what admission
 * reads by slug. Both are part of one atomic write with the record, whose expected version guards all of them.
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

/** Those that stay while the version is the last: versions of deleted sandboxes are archived. */
export const keptWrites = (record: SandboxRecord): DocumentWrite[] =>
  versionWrites(record).filter(
    ({ collection }) => collection !== SANDBOX_VERSIONS || record.deletedAt === null,
  );

/** Id of the POLICY_EVENT of a version. */
export const policyEventId = ({ id, version }: Pick<SandboxRecord, 'id' | 'version'>): string =>
  `sandbox:${sandboxVersionId(id, version)}`;

/** Exactly the fields that the entry's definition names, whatever the record may contain later. */
export function policyEvent(customerId: string, record: SandboxRecord) {
  const { core, detail, optionalDetail } = SANDBOX_EVENT;
  return {
    kind: 'POLICY_EVENT',
    id: policyEventId(record),
    customerId,
    at: record.updatedAt,
    core: fieldsOf(core, { ...record, type: 'SANDBOX', sandboxId: record.id }),
    detail: { ...fieldsOf(detail, record), ...presentFields(optionalDetail, record) },
  } as const;
}
