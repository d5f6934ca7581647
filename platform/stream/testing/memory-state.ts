import {
  type DocumentRef,
  type Documents,
  type Expiring,
  type PendingEntry,
  StateUnavailable,
  type StoredDocument,
} from '#platform/state/port.ts';

export interface MemoryState {
  readonly documents: Documents;
  readonly expiring: Expiring;
  /** While true every call rejects with `StateUnavailable`. */
  down: boolean;
  /** Values of `expiring` by key, for assertions. */
  readonly values: Map<string, string>;
}

/** Documents and expiring values in memory, for tests of code that uses the state. Nothing expires. */
export function memoryState(): MemoryState {
  const documents = new Map<string, StoredDocument>();
  const outbox = new Map<string, { ref: DocumentRef; entries: PendingEntry[] }>();
  const values = new Map<string, string>();
  const pathOf = (ref: DocumentRef): string => `${ref.scope}/${ref.collection}/${ref.id}`;
  async function entriesOf(key: string): Promise<string | null> {
    await turn();
    return values.get(key) ?? null;
  }
  async function setFirst(key: string, value: string): Promise<boolean> {
    await turn();
    if (values.has(key)) return false;
    values.set(key, value);
    return true;
  }
  const state: MemoryState = {
    down: false,
    values,
    documents: {
      get: async <Value>(ref: DocumentRef) => {
        await turn();
        return (documents.get(pathOf(ref)) ?? null) as StoredDocument<Value> | null;
      },
      list: async <Value>(scope: string, collection: string) => {
        await turn();
        const prefix = pathOf({ scope, collection, id: '' });
        const found = [...documents].filter(([path, { value }]) => path.startsWith(prefix) && value !== null);
        return found.sort().map(([, document]) => document as StoredDocument<Value>);
      },
      ids: async (scope, collection) => {
        await turn();
        const prefix = pathOf({ scope, collection, id: '' });
        return [...documents.keys()]
          .filter((key) => key.startsWith(prefix))
          .map((key) => key.slice(prefix.length))
          .sort();
      },
      claimed: async () => {
        throw new Error('not needed by these tests');
      },
      write: async (scope, writes) => {
        await turn();
        const refs = writes.map(({ collection, id }) => ({ scope, collection, id }));
        const stale = writes.findIndex((write, i) => {
          const version = documents.get(pathOf(refs[i] as DocumentRef))?.version ?? 0;
          return write.expectedVersion !== undefined && write.expectedVersion !== version;
        });
        const conflict = writes[stale];
        if (conflict !== undefined) return { ok: false, conflict };
        const versions = writes.map(({ id, value, seal, entries }, i) => {
          const ref = refs[i] as DocumentRef;
          const version = (documents.get(pathOf(ref))?.version ?? 0) + 1;
          documents.set(pathOf(ref), { id, version, value, ...(seal === undefined ? {} : { seal }) });
          if (entries !== undefined && entries.length > 0) {
            const before = outbox.get(pathOf(ref))?.entries ?? [];
            outbox.set(pathOf(ref), { ref, entries: [...before, ...entries] });
          }
          return version;
        });
        return { ok: true, versions };
      },
      pending: async (ref) => {
        await turn();
        return outbox.get(pathOf(ref))?.entries ?? [];
      },
      clearPending: async (ref, entryIds) => {
        await turn();
        const left = (outbox.get(pathOf(ref))?.entries ?? []).filter(
          (one) => !entryIds.includes(one.entryId),
        );
        if (left.length === 0) outbox.delete(pathOf(ref));
        else outbox.set(pathOf(ref), { ref, entries: left });
      },
      withPending: async (limit) => {
        await turn();
        return [...outbox.values()].slice(0, limit).map((one) => one.ref);
      },
    },
    expiring: {
      get: entriesOf,
      claimed: entriesOf,
      set: async (key, value) => {
        await turn();
        values.set(key, value);
      },
      setIfAbsent: setFirst,
      claim: setFirst,
      delete: async (key) => {
        await turn();
        values.delete(key);
      },
    },
  };

  /** Yields, so that races show. */
  async function turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (state.down) throw new StateUnavailable('the state is down');
  }

  return state;
}
