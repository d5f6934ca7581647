import { type Documents, type DocumentWrite, SANDBOX_SLUGS, type SandboxHead } from '../state/port.ts';
import type { Announce, EntryMaker } from './ledger-events.ts';
import {
  normaliseSlug,
  SANDBOX_COUNTS,
  SANDBOX_VERSIONS,
  SANDBOXES,
  type SandboxRecord,
  sandboxVersionId,
} from './records.ts';

export interface NewSandbox extends Omit<SandboxRecord, 'version' | 'createdAt' | 'updatedAt' | 'deletedAt'> {
  readonly customerId: string;
  /** null: unlimited. */
  readonly quota: number | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

export type CreatedSandbox =
  | { readonly ok: true; readonly record: SandboxRecord }
  | { readonly ok: false; readonly reason: 'EXISTS' | 'LIMIT' | 'CONTENDED' };

export interface SandboxParts {
  readonly documents: Documents;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
}

/** Document `SANDBOX_COUNTS`, id = customer id: how many sandboxes are not deleted. */
interface SandboxCount {
  readonly active: number;
}

/** Rounds of a creation before it gives up: each lost round means that another creation succeeded. */
const MAX_ROUNDS = 1_000;

/**
 * Creates a sandbox with its first version. One atomic write holds the record, the version, the slug, the count that
 * the quota is kept by, and the POLICY_EVENT, so that none is ever there without the others. A repeat with the same
 * id finds what the earlier attempt made.
 */
export async function createSandbox(parts: SandboxParts, input: NewSandbox): Promise<CreatedSandbox> {
  const { customerId, quota, ...fields } = input;
  const record: SandboxRecord = { ...fields, version: 1, updatedAt: fields.createdAt, deletedAt: null };
  const slug = normaliseSlug(record.slug);
  let entry: Awaited<ReturnType<EntryMaker>> | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const taken = await slugHead(parts.documents, customerId, slug);
    if (taken !== null) return repeated(parts.documents, customerId, record.id, taken);
    const count = await parts.documents.get<SandboxCount>(countRef(customerId));
    const active = count?.value.active ?? 0;
    if (quota !== null && active >= quota) return { ok: false, reason: 'LIMIT' };
    entry ??= await parts.makeEntry(policyEvent(customerId, record));
    const outcome = await parts.documents.write(customerId, [
      ...sandboxWrites(record, slug),
      { collection: SANDBOXES, id: record.id, expectedVersion: 0, value: record, entries: [entry] },
      {
        collection: SANDBOX_COUNTS,
        id: customerId,
        expectedVersion: count?.version ?? 0,
        value: { active: active + 1 } satisfies SandboxCount,
      },
    ]);
    if (!outcome.ok) continue;
    parts.announce({ scope: customerId, collection: SANDBOXES, id: record.id });
    return { ok: true, record };
  }
  return { ok: false, reason: 'CONTENDED' };
}

/** By id, or by slug in either spelling. Deleted sandboxes are not found. */
export async function getSandbox(
  documents: Documents,
  customerId: string,
  idOrSlug: string,
): Promise<SandboxRecord | null> {
  const byId = await sandboxById(documents, customerId, idOrSlug);
  const found = byId ?? (await sandboxBySlug(documents, customerId, idOrSlug));
  return found === null || found.deletedAt !== null ? null : found;
}

/** Deleted ones too: a signal names its sandbox for ever. */
export async function sandboxById(
  documents: Documents,
  customerId: string,
  id: string,
): Promise<SandboxRecord | null> {
  return (
    (await documents.get<SandboxRecord>({ scope: customerId, collection: SANDBOXES, id }))?.value ?? null
  );
}

/** Id of the sandbox that has, or had when it was deleted, this slug. */
export async function sandboxIdOfSlug(
  documents: Documents,
  customerId: string,
  slug: string,
): Promise<string | null> {
  return (await slugHead(documents, customerId, normaliseSlug(slug)))?.sandboxId ?? null;
}

/** All that are not deleted, in the order of their ids (= of their creation). */
export async function listSandboxes(documents: Documents, customerId: string): Promise<SandboxRecord[]> {
  const all = await documents.list<SandboxRecord>(customerId, SANDBOXES);
  return all.map(({ value }) => value).filter((record) => record.deletedAt === null);
}

const countRef = (customerId: string) => ({ scope: customerId, collection: SANDBOX_COUNTS, id: customerId });

async function slugHead(
  documents: Documents,
  customerId: string,
  normalised: string,
): Promise<SandboxHead | null> {
  const ref = { scope: customerId, collection: SANDBOX_SLUGS, id: normalised };
  return (await documents.get<SandboxHead>(ref))?.value ?? null;
}

async function sandboxBySlug(
  documents: Documents,
  customerId: string,
  slug: string,
): Promise<SandboxRecord | null> {
  const id = await sandboxIdOfSlug(documents, customerId, slug);
  return id === null ? null : sandboxById(documents, customerId, id);
}

/** The slug is taken: by an earlier attempt of this very creation, or by another sandbox. */
async function repeated(
  documents: Documents,
  customerId: string,
  id: string,
  taken: SandboxHead,
): Promise<CreatedSandbox> {
  const own = taken.sandboxId === id ? await sandboxById(documents, customerId, id) : null;
  return own === null ? { ok: false, reason: 'EXISTS' } : { ok: true, record: own };
}

function sandboxWrites(record: SandboxRecord, slug: string): DocumentWrite[] {
  const head: SandboxHead = {
    sandboxId: record.id,
    sandboxVersion: record.version,
    slug: record.slug,
    active: record.active,
    deleted: false,
  };
  return [
    { collection: SANDBOX_SLUGS, id: slug, expectedVersion: 0, value: head },
    {
      collection: SANDBOX_VERSIONS,
      id: sandboxVersionId(record.id, record.version),
      expectedVersion: 0,
      value: record,
    },
  ];
}

/** Free text of a person (name, rules) is detail; what decides how audits are judged is core. */
function policyEvent(customerId: string, record: SandboxRecord) {
  const { id, name, customRules, createdAt, updatedAt, deletedAt, ...rules } = record;
  return {
    kind: 'POLICY_EVENT',
    id: `sandbox:${sandboxVersionId(id, record.version)}`,
    customerId,
    at: updatedAt,
    core: { type: 'SANDBOX', sandboxId: id, ...rules, createdAt, deletedAt },
    detail: { name, customRules },
  } as const;
}
