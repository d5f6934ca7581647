import { isDeepStrictEqual } from 'node:util';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { laterOf } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget, usageOf } from '../changes/measure-records.ts';
import { type LiftDependencies, liftDocument, type OlderDocument } from '../changes/older-document.ts';
import { bytesOf, type Charge, usageWrite } from '../changes/record-usage.ts';
import { deletedMark } from '../documents/sandbox-marks.ts';
import {
  SANDBOX_VERSIONS,
  type SandboxRecord,
  type SandboxSettings,
  sandboxVersionId,
} from '../documents/sandbox-record.ts';
import { policyEvent, versionWrites } from './sandbox-writes.ts';
import { countWrite, type SandboxDependencies, sandboxRef, storedSandbox } from './sandboxes.ts';

export interface SandboxChange {
  readonly customerId: string;
  readonly idOrSlug: string;
  /** ISO 8601. */
  readonly at: string;
  /** Id of the change, so that a repeat finds the version that it made. */
  readonly changeId: string;
  /** True when an earlier attempt may have made that version already. */
  readonly takenOver: boolean;
  readonly budget: RecordBudget;
  /** Returns the changed settings; called again when another change came first. May throw to refuse. */
  readonly settings: (record: SandboxRecord) => SandboxSettings;
}

export type ChangedSandbox =
  | { readonly ok: true; readonly record: SandboxRecord }
  | { readonly ok: false; readonly reason: 'NOT_FOUND' }
  | OverBudget;

/**
 * Makes a new version of a sandbox, with its POLICY_EVENT, in one atomic write; a version equal to the one before is
 * not made. Concurrent changes are applied one after the other, none is lost. Deleted sandboxes are not found.
 */
export function changeSandbox(
  dependencies: SandboxDependencies,
  change: SandboxChange,
): Promise<ChangedSandbox> {
  return nextVersion(
    dependencies,
    change,
    (record) => {
      const { detection: _former, ...others } = record;
      return { ...others, ...change.settings(record) };
    },
    change.budget,
  );
}

/**
 * Deletes a sandbox: a last version that says so. Its slug stays taken, its place in the quota is free at once. No
 * budget refuses it: a customer at its limit can always delete, and there are no more deletions than sandboxes.
 */
export function deleteSandbox(
  dependencies: SandboxDependencies,
  deletion: Omit<SandboxChange, 'settings' | 'budget'>,
): Promise<ChangedSandbox> {
  const { customerId, at } = deletion;
  return nextVersion(
    dependencies,
    deletion,
    (record) => ({ ...record, deletedAt: at }),
    null,
    async ({ id }) => [await countWrite(dependencies.documents, customerId, -1), deletedMark(id, at)],
  );
}

/** What a version adds to the usage: itself, and the change of the record's size. */
const chargeOf = (record: SandboxRecord, before: SandboxRecord): Charge => ({
  at: record.updatedAt,
  bytes: 2 * bytesOf(record) - bytesOf(before),
  versions: 1,
});

async function nextVersion(
  dependencies: SandboxDependencies,
  change: Omit<SandboxChange, 'settings' | 'budget'>,
  changed: (record: SandboxRecord) => SandboxRecord,
  budget: RecordBudget | null,
  writesBeside: (record: SandboxRecord) => Promise<DocumentWrite[]> = async () => [],
): Promise<ChangedSandbox> {
  const { documents, makeEntry } = dependencies;
  const { customerId, idOrSlug, at, changeId, takenOver } = change;
  // A slug leads to the same sandbox for good.
  const found = await storedSandbox(documents, customerId, idOrSlug);
  if (found === null) return { ok: false, reason: 'NOT_FOUND' };
  const ref = sandboxRef(customerId, found.id);
  return changeDocument<SandboxRecord, ChangedSandbox>(dependencies, ref, async (stored) => {
    if (stored === null) return unchanged({ ok: false, reason: 'NOT_FOUND' });
    const { value: before } = stored;
    const made = takenOver ? await versionMadeBy(documents, customerId, before, change) : null;
    if (made !== null) return unchanged({ ok: true, record: made });
    if (before.deletedAt !== null) return unchanged({ ok: false, reason: 'NOT_FOUND' });
    const next = changed(before);
    if (isDeepStrictEqual(next, before)) return unchanged({ ok: true, record: before });
    const updatedAt = laterOf(at, before.updatedAt);
    const record: SandboxRecord = { ...next, version: before.version + 1, updatedAt, changeId };
    const charged = await chargedWrite(documents, customerId, chargeOf(record, before), budget);
    if (!charged.ok) return unchanged(charged);
    return {
      value: record,
      entries: [await makeEntry(policyEvent(customerId, record))],
      others: [...versionWrites(record), charged.write, ...(await writesBeside(record))],
      result: { ok: true, record },
    };
  });
}

/** Makes a version above the ledger's with the state's settings: changes made in between are given up. */
export function liftSandbox(
  { documents, makeEntry, now, newId }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  return liftDocument<SandboxRecord>(
    { documents },
    {
      ref: sandboxRef(customerId, id),
      ledgerVersion,
      versionOf: ({ value }) => value.version,
      raised: async ({ value: before }) => {
        const updatedAt = laterOf(new Date(now()).toISOString(), before.updatedAt);
        const record = { ...before, version: ledgerVersion + 1, updatedAt, changeId: newId() };
        const usage = await usageOf(documents, customerId);
        return {
          value: record,
          entries: [await makeEntry(policyEvent(customerId, record))],
          others: [...versionWrites(record), usageWrite(customerId, usage, chargeOf(record, before))],
        };
      },
    },
  );
}

/**
 * The version that a change made, searched from the newest one back; null: none. Versions older than the change cannot
 * be its own, however many there are.
 */
async function versionMadeBy(
  documents: Documents,
  customerId: string,
  current: SandboxRecord,
  { changeId, at }: Pick<SandboxChange, 'changeId' | 'at'>,
): Promise<SandboxRecord | null> {
  for (let version = current.version; version >= 1; version -= 1) {
    const id = sandboxVersionId(current.id, version);
    const found = await documents.get<SandboxRecord>({
      scope: customerId,
      collection: SANDBOX_VERSIONS,
      id,
    });
    if (found === null || found.value.updatedAt < at) return null;
    if (found.value.changeId === changeId) return found.value;
  }
  return null;
}
