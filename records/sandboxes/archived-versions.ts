import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents } from '#platform/state/port.ts';
import { usageOf } from '../changes/measure-records.ts';
import { bytesOf, usageWrite } from '../changes/record-usage.ts';
import { ARCHIVED_VERSIONS, type ArchivedVersions, deletedMark } from '../documents/sandbox-marks.ts';
import { SANDBOX_VERSIONS, type SandboxRecord, sandboxVersionId } from '../documents/sandbox-record.ts';
import { policyEvent } from './sandbox-writes.ts';
import { sandboxById } from './sandboxes.ts';

interface ArchiveDependencies {
  readonly documents: Documents;
  /** Returns those of these POLICY_EVENT ids whose content is completely in the warehouse. */
  readonly folded: (customerId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** ISO 8601: nothing that may still be analysed names a version replaced before this. */
  readonly replacedBefore: string;
}

/** Versions checked and archived in one step. */
const VERSIONS_AT_ONCE = 50;

/**
 * Archives old versions of a sandbox: their POLICY_EVENTs keep them in the warehouse permanently, and the state keeps
 * the current version and those that an audit in flight, a dead letter or its replay may name. One write removes a
 * step's versions, records the lowest remaining version, and releases their bytes, so a crash leaves all of it or
 * nothing, and two processes never release anything twice. Resolves to the number of archived versions.
 */
export async function archiveVersions(
  dependencies: ArchiveDependencies,
  customerId: string,
  sandboxId: string,
): Promise<number> {
  let archived = 0;
  for (;;) {
    const step = await archiveStep(dependencies, customerId, sandboxId);
    if (step === null) return archived;
    archived += step;
  }
}

/** null: nothing to do. */
function archiveStep(
  dependencies: ArchiveDependencies,
  customerId: string,
  sandboxId: string,
): Promise<number | null> {
  const { documents } = dependencies;
  const ref = { scope: customerId, collection: ARCHIVED_VERSIONS, id: sandboxId };
  return changeDocument<ArchivedVersions, number | null>({ documents }, ref, async (mark) => {
    const record = await sandboxById(documents, customerId, sandboxId);
    if (record === null) return unchanged(null);
    // A sandbox deleted by a process of the previous release has no mark.
    if (record.deletedAt !== null) await markDeleted(documents, customerId, record.id, record.deletedAt);
    const usage = await usageOf(documents, customerId);
    const from = mark?.value.keptFrom ?? 1;
    if (from >= record.version && record.deletedAt === null) return unchanged(null);
    const versions = await versionsFrom(documents, customerId, record, from);
    const old = await archivableVersions(dependencies, customerId, record, versions);
    const last = old.at(-1);
    if (last === undefined) return unchanged(null);
    const bytes = old.reduce((sum, version) => sum + bytesOf(version), 0);
    return {
      value: { keptFrom: last.version + 1 },
      others: [
        usageWrite(customerId, usage, { at: usage.value.day, bytes: -bytes }),
        ...old.map(({ version }) => ({
          collection: SANDBOX_VERSIONS,
          id: sandboxVersionId(sandboxId, version),
          value: null,
        })),
      ],
      result: old.length,
    };
  });
}

async function markDeleted(
  documents: Documents,
  customerId: string,
  sandboxId: string,
  at: string,
): Promise<void> {
  const mark = deletedMark(sandboxId, at);
  const ref = { scope: customerId, collection: mark.collection, id: sandboxId };
  if ((await documents.get(ref)) === null) await documents.write(customerId, [mark]);
}

/** The next versions in the state; skips numbers that were never used. */
async function versionsFrom(
  documents: Documents,
  customerId: string,
  record: SandboxRecord,
  from: number,
): Promise<SandboxRecord[]> {
  const count = Math.min(VERSIONS_AT_ONCE + 1, record.version - from + 1);
  const found = await Promise.all(
    Array.from({ length: Math.max(0, count) }, (_, n) =>
      documents.get<SandboxRecord>({
        scope: customerId,
        collection: SANDBOX_VERSIONS,
        id: sandboxVersionId(record.id, from + n),
      }),
    ),
  );
  return found.filter((version) => version !== null).map(({ value }) => value);
}

/**
 * Versions replaced long enough ago and folded, up to the first that is not: versions lost from the ledger stay here.
 * The last version of a deleted sandbox is never analysed, so it counts as replaced when it was made.
 */
async function archivableVersions(
  { folded, replacedBefore }: ArchiveDependencies,
  customerId: string,
  record: SandboxRecord,
  versions: readonly SandboxRecord[],
): Promise<SandboxRecord[]> {
  const replacedAt = (version: SandboxRecord, position: number): string | undefined =>
    version.version === record.version && record.deletedAt !== null
      ? record.updatedAt
      : versions[position + 1]?.updatedAt;
  const end = versions.findIndex((version, position) => {
    const at = replacedAt(version, position);
    return at === undefined || at > replacedBefore;
  });
  const old = end === -1 ? versions : versions.slice(0, end);
  if (old.length === 0) return [];
  const idOf = (version: SandboxRecord): string => policyEvent(customerId, version).id;
  const stored = await folded(customerId, old.map(idOf));
  const kept = old.findIndex((version) => !stored.has(idOf(version)));
  return kept === -1 ? [...old] : old.slice(0, kept);
}
