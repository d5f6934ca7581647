import { isDeepStrictEqual } from 'node:util';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Documents, DocumentWrite } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { laterOf } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget, usageOf } from '../changes/measure-records.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
} from '../changes/older-document.ts';
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
  /** Id of the change, by which a repeat finds the version that it made. */
  readonly changeId: string;
  /** Whether an earlier attempt may already have made that version. */
  readonly takenOver: boolean;
  readonly budget: RecordBudget;
  /** Returns the changed settings; called again when another change was written first. May throw to refuse. */
  readonly settings: (record: SandboxRecord) => SandboxSettings;
}

export type ChangedSandbox =
  | { readonly ok: true; readonly record: SandboxRecord }
  | { readonly ok: false; readonly reason: 'NOT_FOUND' }
  | OverBudget;

/**
 * Makes a new version of a sandbox and its POLICY_EVENT, in one atomic write, unless it equals the previous version.
 * Concurrent changes are applied one after the other, none is lost. Does not find deleted sandboxes.
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
 * Deletes a sandbox with a last version. Its slug stays taken; its quota is free at once. Never refused for lack of
 * budget: a customer at its limit can always delete, and there are no more deletions than sandboxes.
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

/** What a version adds to the usage: itself, and the change in the record's size. */
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
  extraWrites: (record: SandboxRecord) => Promise<DocumentWrite[]> = async () => [],
): Promise<ChangedSandbox> {
  const { documents, makeEntry } = dependencies;
  const { customerId, idOrSlug, at, changeId, takenOver } = change;
  // A slug always refers to the same sandbox.
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
      others: [...versionWrites(record), charged.write, ...(await extraWrites(record))],
      result: { ok: true, record },
    };
  });
}

/** Makes a version above the ledger's with the state's settings: changes in between are given up. */
export function raiseSandboxVersion(
  { documents, makeEntry, now, newId }: RaiseDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  return raiseDocumentVersion<SandboxRecord>(
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
 * The version that a change made, searching backwards from the latest; null: none. Versions older than the change
 * cannot be its result, however many there are.
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
