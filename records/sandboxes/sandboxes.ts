import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import {
  type Documents,
  type DocumentWrite,
  SANDBOX_SLUGS,
  type SandboxHead,
  type StoredDocument,
} from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import { bytesOf } from '../changes/record-usage.ts';
import {
  normaliseSlug,
  SANDBOX_COUNTS,
  SANDBOX_VERSIONS,
  SANDBOXES,
  type SandboxRecord,
  type SandboxSettings,
  sandboxVersionId,
} from '../documents/sandbox-record.ts';
import { policyEvent, versionWrites } from './sandbox-writes.ts';

export interface NewSandbox extends SandboxSettings {
  readonly id: string;
  readonly slug: string;
  readonly customerId: string;
  /** null: unlimited. */
  readonly quota: number | null;
  readonly budget: RecordBudget;
  /** ISO 8601. */
  readonly createdAt: string;
}

export type CreatedSandbox =
  | { readonly ok: true; readonly record: SandboxRecord }
  /** `DELETED`: a deleted sandbox reserves the slug. */
  | { readonly ok: false; readonly reason: 'EXISTS' | 'DELETED' | 'LIMIT' }
  | OverBudget;

export interface SandboxDependencies {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

/** Document `SANDBOX_COUNTS`, id = customer id: the number of sandboxes that are not deleted. */
interface SandboxCount {
  readonly active: number;
}

/**
 * Creates a sandbox with its first version. One atomic write contains the record, the version, the slug, the counts for
 * quota and budget, and the POLICY_EVENT, so that none ever exists without the others. A repeat with the same id
 * returns the earlier attempt's result.
 */
export function createSandbox(dependencies: SandboxDependencies, input: NewSandbox): Promise<CreatedSandbox> {
  const { customerId, quota, budget, ...fields } = input;
  const record: SandboxRecord = { ...fields, version: 1, updatedAt: fields.createdAt, deletedAt: null };
  const slug = normaliseSlug(record.slug);
  const charge = { at: record.createdAt, bytes: 2 * bytesOf(record), versions: 1, sandboxes: 1 };
  const { documents, makeEntry } = dependencies;
  const ref = sandboxRef(customerId, record.id);
  return changeDocument<SandboxRecord, CreatedSandbox>(dependencies, ref, async () => {
    // Written with the record and never released: while it is free, there is no such record.
    const existing = await slugHead(documents, customerId, slug);
    if (existing !== null) return unchanged(await repeated(documents, customerId, record.id, existing));
    const count = await documents.get<SandboxCount>(countRef(customerId));
    if (quota !== null && (count?.value.active ?? 0) >= quota)
      return unchanged({ ok: false, reason: 'LIMIT' });
    const charged = await chargedWrite(documents, customerId, charge, budget);
    if (!charged.ok) return unchanged(charged);
    return {
      value: record,
      entries: [await makeEntry(policyEvent(customerId, record))],
      others: [...versionWrites(record), countedWrite(customerId, count, 1), charged.write],
      result: { ok: true, record },
    };
  });
}

/** By id, or by slug in either spelling. Includes deleted sandboxes only on request. */
export async function getSandbox(
  documents: Documents,
  customerId: string,
  idOrSlug: string,
  includeDeleted = false,
): Promise<SandboxRecord | null> {
  const found = (await storedSandbox(documents, customerId, idOrSlug))?.value ?? null;
  return found === null || (found.deletedAt !== null && !includeDeleted) ? null : found;
}

export const sandboxRef = (customerId: string, id: string) => ({
  scope: customerId,
  collection: SANDBOXES,
  id,
});

/** By id, or by slug in either spelling, including deleted ones. */
export async function storedSandbox(
  documents: Documents,
  customerId: string,
  idOrSlug: string,
): Promise<StoredDocument<SandboxRecord> | null> {
  const read = (id: string) => documents.get<SandboxRecord>(sandboxRef(customerId, id));
  const byId = await read(idOrSlug);
  if (byId !== null) return byId;
  const id = await sandboxIdOfSlug(documents, customerId, idOrSlug);
  return id === null ? null : read(id);
}

/** Includes deleted ones: a signal names its sandbox permanently. */
export async function sandboxById(
  documents: Documents,
  customerId: string,
  id: string,
): Promise<SandboxRecord | null> {
  return (await documents.get<SandboxRecord>(sandboxRef(customerId, id)))?.value ?? null;
}

/** Id of the sandbox that has this slug, or had it when it was deleted. */
export async function sandboxIdOfSlug(
  documents: Documents,
  customerId: string,
  slug: string,
): Promise<string | null> {
  return (await slugHead(documents, customerId, normaliseSlug(slug)))?.sandboxId ?? null;
}

const countRef = (customerId: string) => ({ scope: customerId, collection: SANDBOX_COUNTS, id: customerId });

/** Changes the current count for the quota. */
export async function countWrite(
  documents: Documents,
  customerId: string,
  change: number,
): Promise<DocumentWrite> {
  return countedWrite(customerId, await documents.get<SandboxCount>(countRef(customerId)), change);
}

const countedWrite = (
  customerId: string,
  count: StoredDocument<SandboxCount> | null,
  change: number,
): DocumentWrite => ({
  collection: SANDBOX_COUNTS,
  id: customerId,
  expectedVersion: count?.version ?? 0,
  value: { active: Math.max(0, (count?.value.active ?? 0) + change) } satisfies SandboxCount,
});

async function slugHead(
  documents: Documents,
  customerId: string,
  normalised: string,
): Promise<SandboxHead | null> {
  const ref = { scope: customerId, collection: SANDBOX_SLUGS, id: normalised };
  return (await documents.get<SandboxHead>(ref))?.value ?? null;
}

/** The slug is taken: by an earlier attempt of this creation, or by another sandbox. */
async function repeated(
  documents: Documents,
  customerId: string,
  id: string,
  existing: SandboxHead,
): Promise<CreatedSandbox> {
  if (existing.sandboxId !== id) {
    const other = await documents.get<SandboxRecord>(sandboxRef(customerId, existing.sandboxId));
    const isDeleted = other !== null && other.value.deletedAt !== null;
    return { ok: false, reason: isDeleted ? 'DELETED' : 'EXISTS' };
  }
  const first = { scope: customerId, collection: SANDBOX_VERSIONS, id: sandboxVersionId(id, 1) };
  const own = await documents.get<SandboxRecord>(first);
  return own === null ? { ok: false, reason: 'EXISTS' } : { ok: true, record: own.value };
}
