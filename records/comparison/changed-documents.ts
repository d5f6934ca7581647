import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, NotCanonical } from '#core/evidence/canonical-json.ts';
import { coreHashHex, detailHashHex } from '#core/evidence/hashing.ts';
import type { DocumentSeals } from '#platform/sealing/document-seals.ts';
import { CUSTOMERS, type DocumentRef, type Documents, type StoredDocument } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { type LastEntry, lastEntries } from '#platform/warehouse/queries/evidence/last-entries.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { LEDGERED_DOCUMENTS, type LedgeredDocuments } from './ledgered-documents.ts';
import { compareVersion } from './older-documents.ts';
import { sealedCollections } from './sealed-collections.ts';

/**
 * CONTENT: differs from, or is older than, its last entry in the ledger; SEAL: the service did not write it like this;
 * NO_SEAL: has no seal, like documents of earlier releases.
 */
type ChangedBy = 'CONTENT' | 'SEAL' | 'NO_SEAL';

/** A document of the state that was changed outside the service. */
export interface ChangedDocument {
  readonly ref: DocumentRef;
  /** Name for operators. */
  readonly name: string;
  /** Its last entry; null: none, or only its seal was read. */
  readonly entry: Pick<LastEntry, 'index' | 'id'> | null;
  readonly by: ChangedBy;
}

export interface CompareChangedDependencies {
  readonly documents: Documents;
  readonly seals: DocumentSeals;
  readonly warehouse: Warehouse;
}

/** A chunk of compared documents. */
export interface ComparedDocuments {
  readonly compared: number;
  readonly changed: readonly ChangedDocument[];
}

/** Documents read at a time: a few milliseconds of work. */
const READ_AT_ONCE = 100;

/**
 * Compares the documents of a customer, or of all (null), with their last entries in the ledger. The ledger is read
 * first, and a version reaches it after the state, so an unchanged state is never reported.
 */
export async function* comparedWithLedger(
  { documents, warehouse }: Omit<CompareChangedDependencies, 'seals'>,
  customerId: string | null,
): AsyncGenerator<ComparedDocuments & { readonly entries: readonly LastEntry[] }> {
  for await (const entries of lastEntries(warehouse, LEDGERED_DOCUMENTS, customerId)) {
    for (const some of chunksOf(entries)) {
      const found = await Promise.all(some.map((entry) => changedSince(documents, entry)));
      await turn();
      yield { compared: some.length, changed: found.filter((one) => one !== null), entries: some };
    }
  }
}

export const typeOf = ({ type }: LastEntry): LedgeredDocuments => LEDGERED_DOCUMENTS[type]!;

async function changedSince(documents: Documents, entry: LastEntry): Promise<ChangedDocument | null> {
  const type = typeOf(entry);
  const ref = type.refOf(entry.customerId, entry.document);
  const stored = await documents.get(ref);
  const isChanged = await orUnreadable(
    async () =>
      (await compareVersion(documents, type, entry, stored)) !== null ||
      (stored !== null &&
        type.versionOf(stored) === entry.version &&
        ((await differs(documents, type, stored, entry)) ||
          (await differsNextTo(documents, type, ref, stored)))),
  );
  return isChanged ? { ref, name: type.name, entry, by: 'CONTENT' } : null;
}

/** A document written by others may have any form: if no entry can be made of it, it was changed, too. */
async function orUnreadable(isChanged: () => Promise<boolean>): Promise<boolean> {
  try {
    return await isChanged();
  } catch (error) {
    if (error instanceof TypeError || error instanceof NotCanonical) return true;
    throw error;
  }
}

/** Whether a document differs from the hashes of its last entry. Erased parts of the entry are not compared. */
async function differs(
  documents: Documents,
  type: LedgeredDocuments,
  stored: StoredDocument,
  entry: LastEntry,
): Promise<boolean> {
  const { customerId } = entry;
  if (entry.coreSalt === '' || (await isErased(documents, type, customerId))) return false;
  const made = await type.entryOf(documents, customerId, stored);
  if (made === null) return true;
  const { event, known } = made;
  if (coreHashHex(entry.coreSalt, canonicalJson(event.core)) !== entry.coreHash) return true;
  if (known === 'CORE') return false;
  if (event.at !== entry.at) return true;
  if (entry.detailSalt === '') return false;
  return detailHashHex(entry.detailSalt, canonicalJson(event.detail)) !== entry.detailHash;
}

/** The records of a customer that is being erased disappear one by one, whatever the ledger says. */
async function isErased(documents: Documents, type: LedgeredDocuments, customerId: string): Promise<boolean> {
  const ref = { scope: customerId, collection: CUSTOMERS, id: customerId };
  if (isDeepStrictEqual(type.refOf(customerId, customerId), ref)) return false;
  return (await documents.get<CustomerRecord>(ref))?.value.erasure !== undefined;
}

/** Whether a document written with each version differs from what that version implies. */
async function differsNextTo(
  documents: Documents,
  { nextTo = () => [] }: LedgeredDocuments,
  ref: DocumentRef,
  stored: StoredDocument,
): Promise<boolean> {
  for (const { collection, id, value } of nextTo(stored)) {
    const found = await documents.get({ scope: ref.scope, collection, id });
    if (isDeepStrictEqual(found?.value ?? null, JSON.parse(JSON.stringify(value)))) continue;
    // A newer version is written in one step with its companion documents.
    if ((await documents.get(ref))?.version === stored.version) return true;
  }
  return false;
}

/** Checks the seals of all documents of a scope: a customer's, or the system's. */
export async function* checkedSeals(
  { documents, seals }: Omit<CompareChangedDependencies, 'warehouse'>,
  scope: string,
): AsyncGenerator<ComparedDocuments> {
  for (const collection of sealedCollections(scope)) {
    for (const ids of chunksOf(await documents.ids(scope, collection))) {
      const found = await Promise.all(
        ids.map(async (id): Promise<ChangedDocument | null> => {
          const ref = { scope, collection, id };
          const stored = await documents.get(ref);
          if (stored === null || seals.isIntact(ref, stored)) return null;
          const by = stored.seal === undefined ? 'NO_SEAL' : 'SEAL';
          return { ref, name: nameOf(ref), entry: null, by };
        }),
      );
      await turn();
      yield { compared: ids.length, changed: found.filter((one) => one !== null) };
    }
  }
}

/** The name of a document's type; for one without ledger entries, the name of its collection. */
const nameOf = ({ scope, collection, id }: DocumentRef): string =>
  LEDGERED_DOCUMENTS.find(
    (sort) => sort.refOf(scope, id).collection === collection && collection !== CUSTOMERS,
  )?.name ?? `document of ${collection}`;

function* chunksOf<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let from = 0; from < all.length; from += READ_AT_ONCE) yield all.slice(from, from + READ_AT_ONCE);
}

/** Compares all documents of a customer with the ledger and with their seals; reports each changed one once. */
export async function* changedOfCustomer(
  dependencies: CompareChangedDependencies,
  customerId: string,
): AsyncGenerator<ComparedDocuments> {
  const pathOf = ({ collection, id }: DocumentRef): string => `${collection}/${id}`;
  const entries = new Map<string, LastEntry>();
  const named = new Set<string>();
  for await (const some of comparedWithLedger(dependencies, customerId)) {
    for (const entry of some.entries)
      entries.set(pathOf(typeOf(entry).refOf(customerId, entry.document)), entry);
    const changed = some.changed.filter(({ ref }) => !named.has(pathOf(ref)));
    for (const { ref } of changed) named.add(pathOf(ref));
    // Stored documents are counted when their seals are checked.
    yield { compared: 0, changed };
  }
  for await (const { compared, changed } of checkedSeals(dependencies, customerId)) {
    const others = changed.filter(({ ref }) => !named.has(pathOf(ref)));
    yield {
      compared,
      changed: others.map((one) => ({ ...one, entry: entries.get(pathOf(one.ref)) ?? null })),
    };
  }
}
