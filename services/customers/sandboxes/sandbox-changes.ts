import { isDeepStrictEqual } from 'node:util';
import type { Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { LiftDependencies, OlderDocument } from '../comparison/older-document.ts';
import { laterOf } from '../ledger-events.ts';
import { usageOf } from '../measure-records.ts';
import { bytesOf, type Charge, exceeded, type RecordUsage, usageWrite } from '../record-usage.ts';
import {
  SANDBOX_VERSIONS,
  SANDBOXES,
  type SandboxRecord,
  type SandboxSettings,
  sandboxVersionId,
} from '../records.ts';
import { deletedMark } from './sandbox-marks.ts';
import { policyEvent, versionWrites } from './sandbox-writes.ts';
import { countWrite, type SandboxDependencies, storedSandbox } from './sandboxes.ts';

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
  | { readonly ok: false; readonly reason: 'NOT_FOUND' | 'CONTENDED' }
  | { readonly ok: false; readonly reason: 'BUDGET'; readonly exceeded: keyof RecordBudget };

/** Rounds of a change before it gives up: each lost round means that another one succeeded. */
const MAX_ROUNDS = 1_000;

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
    (usage, charge) => exceeded(usage, charge, change.budget),
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
    () => null,
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
  { documents, makeEntry, announce }: SandboxDependencies,
  change: Omit<SandboxChange, 'settings' | 'budget'>,
  changed: (record: SandboxRecord) => SandboxRecord,
  excess: (usage: RecordUsage, charge: Charge) => keyof RecordBudget | null,
  writesBeside: (record: SandboxRecord) => Promise<DocumentWrite[]> = async () => [],
): Promise<ChangedSandbox> {
  const { customerId, idOrSlug, at, changeId, takenOver } = change;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stored = await storedSandbox(documents, customerId, idOrSlug);
    if (stored === null) return { ok: false, reason: 'NOT_FOUND' };
    const made = takenOver ? await versionMadeBy(documents, customerId, stored, change) : null;
    if (made !== null) return { ok: true, record: made };
    const before = stored.value;
    if (before.deletedAt !== null) return { ok: false, reason: 'NOT_FOUND' };
    const next = changed(before);
    if (isDeepStrictEqual(next, before)) return { ok: true, record: before };
    const updatedAt = laterOf(at, before.updatedAt);
    const record: SandboxRecord = { ...next, version: before.version + 1, updatedAt, changeId };
    const usage = await usageOf(documents, customerId);
    const charge = chargeOf(record, before);
    const fault = excess(usage.value, charge);
    if (fault !== null) return { ok: false, reason: 'BUDGET', exceeded: fault };
    const entry = await makeEntry(policyEvent(customerId, record));
    const outcome = await documents.write(customerId, [
      {
        collection: SANDBOXES,
        id: record.id,
        expectedVersion: stored.version,
        value: record,
        entries: [entry],
      },
      ...versionWrites(record),
      usageWrite(customerId, usage, charge),
      ...(await writesBeside(record)),
    ]);
    if (!outcome.ok) continue;
    announce({ scope: customerId, collection: SANDBOXES, id: record.id });
    return { ok: true, record };
  }
  return { ok: false, reason: 'CONTENDED' };
}

/** Makes a version above the ledger's with the state's settings: changes made in between are given up. */
export async function liftSandbox(
  { documents, makeEntry, now, newId }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await documents.get<SandboxRecord>({ scope: customerId, collection: SANDBOXES, id });
    if (stored === null || stored.value.version > ledgerVersion) return;
    const record: SandboxRecord = {
      ...stored.value,
      version: ledgerVersion + 1,
      updatedAt: laterOf(new Date(now()).toISOString(), stored.value.updatedAt),
      changeId: newId(),
    };
    const entries = [await makeEntry(policyEvent(customerId, record))];
    const usage = await usageOf(documents, customerId);
    const outcome = await documents.write(customerId, [
      { collection: SANDBOXES, id, expectedVersion: stored.version, value: record, entries },
      ...versionWrites(record),
      usageWrite(customerId, usage, chargeOf(record, stored.value)),
    ]);
    if (outcome.ok) return;
  }
}

/**
 * The version that a change made, searched from the newest one back; null: none. Versions older than the change cannot
 * be its own, however many there are.
 */
async function versionMadeBy(
  documents: Documents,
  customerId: string,
  { value: current }: StoredDocument<SandboxRecord>,
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
