import type { Documents } from '#platform/state/port.ts';
import type { Announce, EntryMaker } from '#records/changes/ledger-events.ts';
import { packageListRef } from '#records/packages/package-list.ts';
import type { PackageFile, PackageRecord } from '#records/packages/package-record.ts';
import { changeInProgress } from '#records/packages/packages.ts';

interface FinishDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

interface Finished {
  readonly customerId: string;
  readonly record: PackageRecord;
  readonly file: PackageFile;
  /** Number of erasures when the build started. */
  readonly erasures: number;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Releases a package, in one write with its ledger entry. False: something was erased meanwhile, or the package is no
 * longer being made.
 */
export async function finishPackage(
  { documents, makeEntry, announce }: FinishDependencies,
  { customerId, record, file, erasures, at }: Finished,
): Promise<boolean> {
  const entry = await makeEntry(packageEvent(customerId, record, file, at));
  const finished = await changeInProgress(
    documents,
    customerId,
    record.id,
    (current, packageList) =>
      packageList.erasures === erasures ? { ...current, status: 'READY', progress: 1, file } : null,
    async () => [entry],
  );
  if (finished) announce(packageListRef(customerId));
  return finished;
}

/** Records that someone received what the ledger held at a checkpoint. */
export const packageEvent = (
  customerId: string,
  { id, framework, startDate, endDate, basis, createdByKeyId }: PackageRecord,
  { sha256, sizeBytes }: PackageFile,
  at: string,
) =>
  ({
    kind: 'EVIDENCE_EVENT',
    id: `package:${id}`,
    customerId,
    at,
    core: {
      type: 'PACKAGE',
      packageId: id,
      framework,
      periodStart: startDate,
      periodEnd: endDate,
      sha256,
      sizeBytes,
      checkpoint: basis.note,
    },
    detail: { actor: createdByKeyId },
  }) as const;
