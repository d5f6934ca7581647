import { hash } from 'node:crypto';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import {
  type Admission,
  API_KEYS,
  apiKeyClaim,
  type Documents,
  type KeyClaim,
} from '#platform/state/port.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import type { Announce, EntryMaker } from '../changes/ledger-events.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import {
  type OlderDocument,
  type RaiseDependencies,
  raiseDocumentVersion,
  repeatedWrites,
} from '../changes/older-document.ts';
import { bytesOf } from '../changes/record-usage.ts';
import type { ApiKeyRecord } from '../documents/api-key-record.ts';

export const API_KEY_PREFIX = 'cas_';
const KEY_BYTES = 24;
const SHOWN_CHARACTERS = 8;

export interface ListedApiKey extends ApiKeyRecord {
  /** ISO 8601, accurate to a minute; null: never used. */
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
  /** `key`: null when an earlier attempt created it, because its full value is no longer known. */
  { readonly ok: true; readonly record: ApiKeyRecord; readonly key: string | null } | OverBudget;

interface ApiKeyDependencies {
  readonly documents: Documents;
  readonly admission: Pick<Admission, 'lastUsed'>;
  readonly makeEntry: EntryMaker;
  readonly announce: Announce;
  readonly randomBytes: (size: number) => Buffer;
}

/** Lower-case hex SHA-256 of a full key, the only form in which it is stored. */
export const apiKeyHash = (key: string): string => hash('sha256', key);

export const keyRef = (customerId: string, id: string) => ({ scope: customerId, collection: API_KEYS, id });

/** A key is created, and revoked once: the record says when. */
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

/** Creates a key, or returns the one created by an earlier attempt with the same id. It is valid once this resolves. */
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
  return changeDocument<ApiKeyRecord, CreatedApiKey>(
    dependencies,
    keyRef(customerId, record.id),
    async (existing) => {
      if (existing !== null) return unchanged({ ok: true, record: existing.value, key: null });
      const charged = await chargedWrite(dependencies.documents, customerId, charge, budget);
      if (!charged.ok) return unchanged(charged);
      return {
        value: record,
        entries: [await dependencies.makeEntry(keyEvent(customerId, record, 1))],
        others: [charged.write],
        claims: [{ name: apiKeyClaim(record.keyHash), value: claim }],
        result: { ok: true, record, key },
      };
    },
  );
}

/** Ids of all keys of the customer, including revoked ones, in order of creation. Does not read any record. */
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

/** Revokes a key: the next request with it fails on all nodes. Revoking again changes nothing. null: no such key. */
export async function revokeApiKey(
  dependencies: ApiKeyDependencies,
  customerId: string,
  keyId: string,
  at: string,
): Promise<ListedApiKey | null> {
  return changeDocument<ApiKeyRecord, ListedApiKey | null>(
    dependencies,
    keyRef(customerId, keyId),
    async (stored) => {
      if (stored === null) return unchanged(null);
      const lastUsed = await dependencies.admission.lastUsed(customerId);
      if (stored.value.status === 'revoked') return unchanged(withLastUse(stored.value, lastUsed));
      const record: ApiKeyRecord = { ...stored.value, status: 'revoked', revokedAt: at };
      // The few bytes by which the record grows are not charged, so that a revocation never fails for lack of budget.
      const entries = [await dependencies.makeEntry(keyEvent(customerId, record, stored.version + 1))];
      return { value: record, entries, result: withLastUse(record, lastUsed) };
    },
  );
}

/**
 * Revokes a key of which the ledger has a newer version: revocation is a key's only change, so it was revoked. As many
 * writes raise its version above the ledger's, in one step.
 */
export function raiseApiKeyVersion(
  { documents, makeEntry, now }: RaiseDependencies,
  { customerId, id, ledgerVersion }: OlderDocument,
): Promise<void> {
  const ref = keyRef(customerId, id);
  return raiseDocumentVersion<ApiKeyRecord>(
    { documents },
    {
      ref,
      ledgerVersion,
      versionOf: ({ version }) => version,
      raised: async ({ value, version }) => {
        const record = { ...value, status: 'revoked' as const, revokedAt: new Date(now()).toISOString() };
        const entries = [await makeEntry(keyEvent(customerId, record, ledgerVersion + 1))];
        return {
          value: record,
          entries,
          others: repeatedWrites(ref, version + 1, ledgerVersion + 1, record),
        };
      },
    },
  );
}

function withLastUse(record: ApiKeyRecord, lastUsed: ReadonlyMap<string, number>): ListedApiKey {
  const at = lastUsed.get(record.id);
  return { ...record, lastUsedAt: at === undefined ? null : new Date(at).toISOString() };
}
