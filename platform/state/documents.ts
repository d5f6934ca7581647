import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { takeSteps } from '../runtime/time-slice.ts';
import { checkNames, compareKeys } from './document-names.ts';
import { keyOf, partsOf, prefixOf, type Store } from './lmdb-store.ts';
import type {
  Claim,
  DocumentRef,
  Documents,
  DocumentWrite,
  PendingEntry,
  StoredDocument,
  WriteOutcome,
} from './port.ts';

interface DocumentRecord {
  readonly version: number;
  readonly value: unknown;
}

interface Outbox {
  /** Place in the sweeper's work list: the order in which documents got their first pending entry. */
  readonly place: string;
  readonly entries: readonly PendingEntry[];
}

/** What admission reads of the documents, without a promise in between. Values are shared: nobody changes them. */
export interface DocumentReader {
  document<Value>(ref: DocumentRef): Value | undefined;
  claim<Value>(name: string): Value | undefined;
}

const keyOfDocument = (ref: DocumentRef): string => keyOf(ref.scope, ref.collection, ref.id);

function refOf(documentKey: string): DocumentRef {
  const [scope, collection, id] = partsOf(documentKey);
  if (scope === undefined || collection === undefined || id === undefined)
    throw new Error(
      'a document key of the state file has another form; the file was written by something else',
    );
  return { scope, collection, id };
}

/** A value as it comes back from the file. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export function createDocuments(store: Store): Documents & DocumentReader {
  const documents = store.table<DocumentRecord>('documents');
  const claims = store.table<{ readonly value: unknown }>('claims');
  const outboxes = store.table<Outbox>('outboxes');
  /** Place -> document key. */
  const worklist = store.table<string>('outbox-worklist');
  const nextPlace = placesFrom(worklist.entries('').at(-1)?.key);

  function refusal(
    scope: string,
    writes: readonly DocumentWrite[],
    wanted: readonly Claim[],
  ): WriteOutcome | null {
    const versions = new Map<string, number>();
    for (const { collection, id, expectedVersion, value } of writes) {
      checkNames([scope, collection, id]);
      const key = keyOf(scope, collection, id);
      const version = versions.get(key) ?? documents.get(key)?.version ?? 0;
      if (expectedVersion !== undefined && expectedVersion !== version)
        return { ok: false, conflict: { collection, id } };
      versions.set(key, value === null ? 0 : version + 1);
    }
    for (const { name, value } of wanted) {
      const held = claims.get(name);
      if (held !== undefined && !isDeepStrictEqual(held.value, asStored(value)))
        return { ok: false, claimed: name };
    }
    return null;
  }

  function apply(scope: string, writes: readonly DocumentWrite[]): number[] {
    const records = new Map<string, DocumentRecord | null>();
    const added = new Map<string, Outbox>();
    const versions = writes.map(({ collection, id, value, entries = [] }) => {
      const key = keyOf(scope, collection, id);
      const before = records.has(key) ? records.get(key) : documents.get(key);
      const version = (before?.version ?? 0) + 1;
      records.set(key, value === null ? null : { version, value });
      if (entries.length > 0) {
        const outbox = added.get(key) ?? outboxes.get(key) ?? { place: nextPlace(), entries: [] };
        added.set(key, { ...outbox, entries: [...outbox.entries, ...entries] });
      }
      return version;
    });
    for (const [key, record] of records) {
      if (record === null) documents.remove(key);
      else documents.put(key, record);
    }
    for (const [key, outbox] of added) {
      outboxes.put(key, outbox);
      worklist.put(outbox.place, key);
    }
    return versions;
  }

  return {
    document: <Value>(ref: DocumentRef) => documents.view(keyOfDocument(ref))?.value as Value | undefined,
    claim: <Value>(name: string) => claims.view(name)?.value as Value | undefined,

    async get<Value>(ref: DocumentRef): Promise<StoredDocument<Value> | null> {
      const record = documents.get(keyOfDocument(ref));
      return record === undefined
        ? null
        : { id: ref.id, version: record.version, value: record.value as Value };
    },

    async list<Value>(scope: string, collection: string): Promise<StoredDocument<Value>[]> {
      const prefix = prefixOf(scope, collection);
      return documents
        .entries(prefix)
        .map(({ key, value: { version, value } }) => ({
          id: key.slice(prefix.length),
          version,
          value: value as Value,
        }))
        .sort((left, right) => compareKeys(left.id, right.id));
    },

    async ids(scope, collection) {
      const prefix = prefixOf(scope, collection);
      const keys = await takeSteps(documents.keys(prefix), () => nextTurn());
      return keys.map((key) => key.slice(prefix.length));
    },

    async write(scope, writes, wanted = []): Promise<WriteOutcome> {
      return store.write((): WriteOutcome => {
        const refused = refusal(scope, writes, wanted);
        if (refused !== null) return refused;
        for (const { name, value } of wanted) claims.put(name, { value });
        return { ok: true, versions: apply(scope, writes) };
      });
    },

    async claimed<Value>(name: string): Promise<Value | null> {
      return (claims.get(name)?.value as Value | undefined) ?? null;
    },

    async pending(ref) {
      return [...(outboxes.get(keyOfDocument(ref))?.entries ?? [])];
    },

    async clearPending(ref, entryIds) {
      const key = keyOfDocument(ref);
      await store.write(() => {
        const outbox = outboxes.get(key);
        if (outbox === undefined) return;
        const entries = outbox.entries.filter(({ entryId }) => !entryIds.includes(entryId));
        if (entries.length === outbox.entries.length) return;
        if (entries.length > 0) outboxes.put(key, { ...outbox, entries });
        else {
          outboxes.remove(key);
          worklist.remove(outbox.place);
        }
      });
    },

    async withPending(limit) {
      return worklist.entries('', limit).map(({ value }) => refOf(value));
    },
  };
}

/** Ever higher places that sort as text, from the last one in use. */
function placesFrom(last: string | undefined): () => string {
  let place = last === undefined ? 0 : Number(last);
  return () => {
    place += 1;
    return String(place).padStart(15, '0');
  };
}
