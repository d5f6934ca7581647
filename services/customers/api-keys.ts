import { hash } from 'node:crypto';
import {
  type Admission,
  API_KEYS,
  apiKeyClaim,
  type Documents,
  type KeyClaim,
} from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { LiftDependencies, OlderDocument } from './comparison/older-document.ts';
import type { Announce, EntryMaker } from './ledger-events.ts';
import { usageOf } from './measure-records.ts';
import { bytesOf, exceeded, usageWrite } from './record-usage.ts';
import type { ApiKeyRecord } from './records.ts';

export const API_KEY_PREFIX = 'cas_';
const KEY_BYTES = 24;
const SHOWN_CHARACTERS = 8;

export interface ListedApiKey extends ApiKeyRecord {
  /** ISO 8601, exact to a minute; null: never used. */
  readonly lastUsedAt: string | null;
}

export interface NewApiKey {
  readonly customerId: string;
  readonly id: string;
  readonly name: string;
  readonly budget: RecordBudget;
  /** ISO 8601. */
  readonly createdAt: string;
}

export type CreatedApiKey =
  /** `key`: null when an earlier attempt made it, because its full value is gone then. */
  | { readonly ok: true; readonly record: ApiKeyRecord; readonly key: string | null }
  | { readonly ok: false; readonly reason: 'BUDGET'; readonly exceeded: keyof RecordBudget };

interface ApiKeyDependencies {
  readonly documents: Documents;
  readonly admission: Pick<Admission, 'lastUsed'>;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  readonly randomBytes: (size: number) => Buffer;
}

/** Lower-case hex SHA-256 of a full key: all that is ever stored of it. */
export const apiKeyHash = (key: string): string => hash('sha256', key);

export const keyRef = (customerId: string, id: string) => ({ scope: customerId, collection: API_KEYS, id });

/** A key is made, and revoked once: the record says when. */
export function keyEvent(customerId: string, record: ApiKeyRecord, version: number) {
  return {
    kind: 'KEY_EVENT',
    id: `${record.id}:${version}`,
    customerId,
    at: record.revokedAt ?? record.createdAt,
    core: { keyId: record.id, prefix: record.prefix, version, status: record.status },
    detail: { name: record.name },
  } as const;
}

/** Creates a key, or finds the one that an earlier attempt with the same id made. It is valid once this resolves. */
export async function createApiKey(
  dependencies: ApiKeyDependencies,
  input: NewApiKey,
): Promise<CreatedApiKey> {
  const key = API_KEY_PREFIX + dependencies.randomBytes(KEY_BYTES).toString('hex');
  const { customerId, budget, ...named } = input;
  const record: ApiKeyRecord = {
    ...named,
    prefix: key.slice(0, SHOWN_CHARACTERS),
    keyHash: apiKeyHash(key),
    status: 'active',
    revokedAt: null,
  };
  const claim: KeyClaim = { customerId, keyId: record.id };
  const charge = { at: record.createdAt, bytes: bytesOf(record), apiKeys: 1 };
  let entry: Awaited<ReturnType<EntryMaker>> | undefined;
  for (;;) {
    const existing = await dependencies.documents.get<ApiKeyRecord>(keyRef(customerId, record.id));
    if (existing !== null) return { ok: true, record: existing.value, key: null };
    const usage = await usageOf(dependencies.documents, customerId);
    const fault = exceeded(usage.value, charge, budget);
    if (fault !== null) return { ok: false, reason: 'BUDGET', exceeded: fault };
    entry ??= await dependencies.makeEntry(keyEvent(customerId, record, 1));
    const outcome = await dependencies.documents.write(
      customerId,
      [
        { collection: API_KEYS, id: record.id, expectedVersion: 0, value: record, entries: [entry] },
        usageWrite(customerId, usage, charge),
      ],
      [{ name: apiKeyClaim(record.keyHash), value: claim }],
    );
    if (!outcome.ok) {
      if ('claimed' in outcome) throw new Error('a new API key has the hash of another one');
      // Another write was faster: of this key, or of another record of the customer.
      continue;
    }
    dependencies.announce(keyRef(customerId, record.id));
    return { ok: true, record, key };
  }
}

/** Ids of all keys of the customer, revoked ones too, in order (= that of their creation). No record is read. */
export const apiKeyIds = (dependencies: ApiKeyDependencies, customerId: string): Promise<string[]> =>
  dependencies.documents.ids(customerId, API_KEYS);

/** The keys with these ids, in this order; missing ones are left out. */
export async function apiKeysById(
  dependencies: ApiKeyDependencies,
  customerId: string,
  ids: readonly string[],
): Promise<ListedApiKey[]> {
  const [keys, lastUsed] = await Promise.all([
    Promise.all(ids.map((id) => dependencies.documents.get<ApiKeyRecord>(keyRef(customerId, id)))),
    dependencies.admission.lastUsed(customerId),
  ]);
  return keys.filter((key) => key !== null).map(({ value }) => withLastUse(value, lastUsed));
}

/**
 * Revokes a key: the next request with it fails, everywhere. Revoking again changes nothing. Null: no such key.
 */
export async function revokeApiKey(
  dependencies: ApiKeyDependencies,
  customerId: string,
  keyId: string,
  at: string,
): Promise<ListedApiKey | null> {
  const ref = keyRef(customerId, keyId);
  for (;;) {
    const stored = await dependencies.documents.get<ApiKeyRecord>(ref);
    if (stored === null) return null;
    const lastUsed = await dependencies.admission.lastUsed(customerId);
    if (stored.value.status === 'revoked') return withLastUse(stored.value, lastUsed);
    const record: ApiKeyRecord = { ...stored.value, status: 'revoked', revokedAt: at };
    const entry = await dependencies.makeEntry(keyEvent(customerId, record, stored.version + 1));
    // The few bytes by which the record grows are not counted: nothing may prevent a revocation.
    const outcome = await dependencies.documents.write(customerId, [
      { collection: API_KEYS, id: keyId, expectedVersion: stored.version, value: record, entries: [entry] },
    ]);
    // A lost race means that somebody else changed the key, and a key changes only by being revoked.
    if (!outcome.ok) continue;
    dependencies.announce(ref);
    return withLastUse(record, lastUsed);
  }
}

/**
 * Revokes a key of which the ledger knows a newer version: revocation is the only change of a key, so it was revoked.
 * Its version is raised above the ledger's by as many writes, in one step.
 */
export async function liftApiKey(
  { documents, makeEntry, now }: LiftDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  for (;;) {
    const stored = await documents.get<ApiKeyRecord>(keyRef(customerId, id));
    if (stored === null || stored.version > ledgerVersion) return;
    const at = new Date(now()).toISOString();
    const record: ApiKeyRecord = { ...stored.value, status: 'revoked', revokedAt: at };
    const entry = await makeEntry(keyEvent(customerId, record, ledgerVersion + 1));
    const writes = Array.from({ length: ledgerVersion + 1 - stored.version }, (_, n) => ({
      collection: API_KEYS,
      id,
      expectedVersion: stored.version + n,
      value: record,
      entries: n === 0 ? [entry] : [],
    }));
    if ((await documents.write(customerId, writes)).ok) return;
  }
}

function withLastUse(record: ApiKeyRecord, lastUsed: ReadonlyMap<string, number>): ListedApiKey {
  const at = lastUsed.get(record.id);
  return { ...record, lastUsedAt: at === undefined ? null : new Date(at).toISOString() };
}
