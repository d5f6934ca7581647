import type { Documents, DocumentWrite, StoredDocument } from '../state/port.ts';
import { usageOf } from './measure-records.ts';
import { bytesOf, usageWrite } from './record-usage.ts';
import { SANDBOX_VERSIONS, SANDBOXES, type SandboxRecord, sandboxVersionId } from './records.ts';
import { ARCHIVED_VERSIONS, type ArchivedVersions, deletedMark } from './sandbox-marks.ts';
import { policyEvent } from './sandbox-writes.ts';

export interface ArchiveParts {
  readonly documents: Documents;
  /** Of these ids of POLICY_EVENTs, those of which the warehouse holds everything. */
  readonly folded: (customerId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** ISO 8601: what was replaced by then is no longer named by anything that may still be analysed. */
  readonly replacedBefore: string;
}

/** Versions looked at, and put away, in one step. */
const VERSIONS_AT_ONCE = 50;

/**
 * Puts old versions of a sandbox away: their POLICY_EVENTs hold them in the warehouse for good, and the state keeps the
 * version of now and those that an audit in flight, a dead letter or its replay may name. One write takes a step's
 * versions out, says from where on the state has them, and gives their bytes back, so that a crash leaves all of it or
 * nothing, and two processes never give anything back twice. Resolves to how many went.
 */
export async function archiveVersions(
  parts: ArchiveParts,
  customerId: string,
  sandboxId: string,
): Promise<number> {
  let archived = 0;
  for (;;) {
    const step = await archiveStep(parts, customerId, sandboxId);
    if (step === null) return archived;
    archived += step;
  }
}

/** Null: there is nothing to do. */
async function archiveStep(
  parts: ArchiveParts,
  customerId: string,
  sandboxId: string,
): Promise<number | null> {
  const { documents } = parts;
  const ref = { scope: customerId, collection: SANDBOXES, id: sandboxId };
  const record = (await documents.get<SandboxRecord>(ref))?.value;
  if (record === undefined) return null;
  // One that a process of the release before deleted has no mark.
  if (record.deletedAt !== null) await markDeleted(documents, customerId, record.id, record.deletedAt);
  const usage = await usageOf(documents, customerId);
  const mark = await documents.get<ArchivedVersions>({ ...ref, collection: ARCHIVED_VERSIONS });
  const from = mark?.value.keptFrom ?? 1;
  if (from >= record.version && record.deletedAt === null) return null;
  const versions = await versionsFrom(documents, customerId, record, from);
  const old = await oldOnes(parts, customerId, record, versions);
  const last = old.at(-1);
  if (last === undefined) return null;
  const writes: DocumentWrite[] = old.map(({ version }) => ({
    collection: SANDBOX_VERSIONS,
    id: sandboxVersionId(sandboxId, version),
    value: null,
  }));
  const bytes = old.reduce((sum, version) => sum + bytesOf(version), 0);
  const outcome = await documents.write(customerId, [
    markWrite(sandboxId, mark, last.version + 1),
    usageWrite(customerId, usage, { at: usage.value.day, bytes: -bytes }),
    ...writes,
  ]);
  return outcome.ok ? old.length : 0;
}

const markWrite = (
  id: string,
  mark: StoredDocument<ArchivedVersions> | null,
  keptFrom: number,
): DocumentWrite => ({
  collection: ARCHIVED_VERSIONS,
  id,
  expectedVersion: mark?.version ?? 0,
  value: { keptFrom } satisfies ArchivedVersions,
});

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

/** The next versions that the state holds; numbers that were never made are passed over. */
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
 * Those that were replaced long enough ago and are folded, up to the first that is not: what the ledger lost stays here.
 * The last version of a deleted sandbox is never analysed, so it goes as one that was replaced when it was made.
 */
async function oldOnes(
  { folded, replacedBefore }: ArchiveParts,
  customerId: string,
  record: SandboxRecord,
  versions: readonly SandboxRecord[],
): Promise<SandboxRecord[]> {
  const replacedAt = (version: SandboxRecord, place: number): string | undefined =>
    version.version === record.version && record.deletedAt !== null
      ? record.updatedAt
      : versions[place + 1]?.updatedAt;
  const end = versions.findIndex((version, place) => {
    const at = replacedAt(version, place);
    return at === undefined || at > replacedBefore;
  });
  const old = end === -1 ? versions : versions.slice(0, end);
  if (old.length === 0) return [];
  const idOf = (version: SandboxRecord): string => policyEvent(customerId, version).id;
  const stored = await folded(customerId, old.map(idOf));
  const kept = old.findIndex((version) => !stored.has(idOf(version)));
  return kept === -1 ? [...old] : old.slice(0, kept);
}
