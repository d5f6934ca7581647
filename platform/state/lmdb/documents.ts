import { setImmediate as nextTurn } from 'node:timers/promises';
import { runSteps } from '#platform/flow/time-slice.ts';
import { compareKeys } from '../document-names.ts';
import type { DocumentRef, Documents, StoredDocument } from '../port.ts';
import { DocumentTables } from './document-tables.ts';
import { keyOf, partsOf, prefixOf, type Store } from './store/store.ts';

/** The documents that admission reads synchronously. Values are shared and must not be changed. */
export interface DocumentReader {
  document<Value>(ref: DocumentRef): Value | undefined;
  claim<Value>(name: string): Value | undefined;
}

const keyOfDocument = (ref: DocumentRef): string => keyOf(ref.scope, ref.collection, ref.id);

function refOf(documentKey: string): DocumentRef {
  const [scope, collection, id] = partsOf(documentKey);
  if (scope === undefined || collection === undefined || id === undefined)
    throw new Error(
      'a document key in the state file has an unknown format; another program may have written the file',
    );
  return { scope, collection, id };
}

export function createDocuments(store: Store): Documents & DocumentReader {
  const tables = new DocumentTables(store);
  const { documents, claims, outboxes } = tables;
  return {
    document: <Value>(ref: DocumentRef) => documents.view(keyOfDocument(ref))?.value as Value | undefined,
    claim: <Value>(name: string) => claims.view(name)?.value as Value | undefined,

    async get<Value>(ref: DocumentRef): Promise<StoredDocument<Value> | null> {
      const record = documents.get(keyOfDocument(ref));
      return record === undefined ? null : { id: ref.id, ...record, value: record.value as Value };
    },

    async list<Value>(scope: string, collection: string): Promise<StoredDocument<Value>[]> {
      const prefix = prefixOf(scope, collection);
      return documents
        .entries(prefix)
        .map(({ key, value: record }) => ({
          id: key.slice(prefix.length),
          ...record,
          value: record.value as Value,
        }))
        .sort((left, right) => compareKeys(left.id, right.id));
    },

    async ids(scope, collection) {
      const prefix = prefixOf(scope, collection);
      const keys = await runSteps(documents.keys(prefix), () => nextTurn());
      return keys.map((key) => key.slice(prefix.length));
    },

    async write(scope, writes, wanted = []) {
      return store.write(() => tables.write(scope, writes, wanted));
    },

    async claimed<Value>(name: string): Promise<Value | null> {
      return (claims.get(name)?.value as Value | undefined) ?? null;
    },

    async pending(ref) {
      return [...(outboxes.get(keyOfDocument(ref))?.entries ?? [])];
    },

    async clearPending(ref, entryIds) {
      await store.write(() => tables.clearPending(keyOfDocument(ref), entryIds));
    },

    async withPending(limit) {
      return tables.worklist.entries('', limit).map(({ value }) => refOf(value));
    },
  };
}
