import { setImmediate as nextTurn } from 'node:timers/promises';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { API_KEYS, type Documents, type DocumentWrite, type StoredDocument } from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { ApiKeyRecord } from '../documents/api-key-record.ts';
import { deletedMark, keptFrom } from '../documents/sandbox-marks.ts';
import {
  SANDBOX_VERSIONS,
  SANDBOXES,
  type SandboxRecord,
  sandboxVersionId,
} from '../documents/sandbox-record.ts';
import {
  bytesOf,
  type Charge,
  charged,
  exceeded,
  NO_USAGE,
  type RecordUsage,
  usageRef,
  usageWrite,
} from './record-usage.ts';

/** Versions read at a time: each may be as large as a request. */
const READ_AT_ONCE = 50;

/**
 * The size of a customer's records, measured if no one has counted it yet: an installation of an earlier release counts
 * from the customer's first change, list or archive round. Until then the document does not exist, so the first writer
 * is right, and one that loses the race reads the winner's. After a crash the measurement starts again.
 */
export async function usageOf(
  documents: Documents,
  customerId: string,
): Promise<StoredDocument<RecordUsage>> {
  return changeDocument<RecordUsage, StoredDocument<RecordUsage>>(
    { documents },
    usageRef(customerId),
    async (stored) => {
      if (stored !== null) return unchanged(stored);
      const value = await measured(documents, customerId);
      return { value, result: { id: customerId, version: 1, value } };
    },
  );
}

export interface OverBudget {
  readonly ok: false;
  readonly reason: 'BUDGET';
  readonly exceeded: keyof RecordBudget;
}

/** The usage write of a change, for the same atomic write. `budget` null: never refused. */
export async function chargedWrite(
  documents: Documents,
  customerId: string,
  charge: Charge,
  budget: RecordBudget | null,
): Promise<{ readonly ok: true; readonly write: DocumentWrite } | OverBudget> {
  const usage = await usageOf(documents, customerId);
  const fault = budget === null ? null : exceeded(usage.value, charge, budget);
  if (fault !== null) return { ok: false, reason: 'BUDGET', exceeded: fault };
  return { ok: true, write: usageWrite(customerId, usage, charge) };
}

async function measured(documents: Documents, customerId: string): Promise<RecordUsage> {
  let usage = NO_USAGE;
  for (const id of await documents.ids(customerId, SANDBOXES)) {
    const sandbox = await documents.get<SandboxRecord>({ scope: customerId, collection: SANDBOXES, id });
    if (sandbox === null) continue;
    usage = await withSandbox(documents, customerId, usage, sandbox.value);
    // Reads of an embedded state never yield.
    await nextTurn();
  }
  for (const id of await documents.ids(customerId, API_KEYS)) {
    const key = await documents.get<ApiKeyRecord>({ scope: customerId, collection: API_KEYS, id });
    if (key === null) continue;
    usage = charged(usage, { at: usage.day, bytes: bytesOf(key.value), apiKeys: 1 });
  }
  return usage;
}

async function withSandbox(
  documents: Documents,
  customerId: string,
  before: RecordUsage,
  record: SandboxRecord,
): Promise<RecordUsage> {
  let usage = charged(before, { at: before.day, bytes: bytesOf(record), sandboxes: 1 });
  if (record.deletedAt !== null)
    await documents.write(customerId, [deletedMark(record.id, record.deletedAt)]);
  const first = await keptFrom(documents, customerId, record.id);
  for (let from = first; from <= record.version; from += READ_AT_ONCE) {
    const count = Math.min(READ_AT_ONCE, record.version - from + 1);
    const versions = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        documents.get<SandboxRecord>({
          scope: customerId,
          collection: SANDBOX_VERSIONS,
          id: sandboxVersionId(record.id, from + n),
        }),
      ),
    );
    for (const version of versions) {
      if (version === null) continue;
      // A version made before the last day does not count towards that day.
      const at = version.value.updatedAt;
      const isOfDay = at.slice(0, 10) >= usage.day;
      usage = charged(usage, { at, bytes: bytesOf(version.value), versions: isOfDay ? 1 : 0 });
    }
  }
  return usage;
}
