import { isDeepStrictEqual } from 'node:util';
import { checkNames } from '../document-names.ts';
import type { Claim, DocumentWrite, PendingEntry, WriteOutcome } from '../port.ts';
import { keyOf, type Store } from './store/store.ts';
import type { Table } from './store/table.ts';

interface DocumentRecord {
  readonly version: number;
  readonly value: unknown;
  readonly seal?: string;
}

interface Outbox {
  /** Position in the sweeper's work list: the order in which documents got their first pending entry. */
  readonly place: string;
  readonly entries: readonly PendingEntry[];
}

const CHECKED = { isChecked: true } as const;

/** The value as it would be read from the file. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Documents, claims and outboxes, and how a write changes them. Write only inside `Store.write`. */
export class DocumentTables {
  readonly documents: Table<DocumentRecord>;
  readonly claims: Table<{ readonly value: unknown }>;
  readonly outboxes: Table<Outbox>;
  /** Position -> document key. */
  readonly worklist: Table<string>;
  readonly #nextPosition: () => string;

  constructor(store: Store) {
    this.documents = store.table('documents', CHECKED);
    this.claims = store.table('claims', { ...CHECKED, hasPrivateKeys: true });
    this.outboxes = store.table('outboxes', CHECKED);
    this.worklist = store.table('outbox-worklist', CHECKED);
    this.#nextPosition = positionsFrom(this.worklist.entries('').at(-1)?.key);
  }

  /** Writes all or nothing. */
  write(scope: string, writes: readonly DocumentWrite[], wanted: readonly Claim[]): WriteOutcome {
    const refused = this.#refusal(scope, writes, wanted);
    if (refused !== null) return refused;
    for (const { name, value } of wanted) this.claims.put(name, { value });
    return { ok: true, versions: this.#apply(scope, writes) };
  }

  clearPending(documentKey: string, entryIds: readonly string[]): void {
    const outbox = this.outboxes.get(documentKey);
    if (outbox === undefined) return;
    const entries = outbox.entries.filter(({ entryId }) => !entryIds.includes(entryId));
    if (entries.length === outbox.entries.length) return;
    if (entries.length > 0) this.outboxes.put(documentKey, { ...outbox, entries });
    else {
      this.outboxes.remove(documentKey);
      this.worklist.remove(outbox.place);
    }
  }

  #refusal(scope: string, writes: readonly DocumentWrite[], wanted: readonly Claim[]): WriteOutcome | null {
    const versions = new Map<string, number>();
    for (const { collection, id, expectedVersion, value, unchanged } of writes) {
      checkNames([scope, collection, id]);
      const key = keyOf(scope, collection, id);
      const version = versions.get(key) ?? this.documents.get(key)?.version ?? 0;
      if (expectedVersion !== undefined && expectedVersion !== version)
        return { ok: false, conflict: { collection, id } };
      if (unchanged !== true) versions.set(key, value === null ? 0 : version + 1);
    }
    for (const { name, value } of wanted) {
      const existing = this.claims.get(name);
      if (existing !== undefined && !isDeepStrictEqual(existing.value, asStored(value)))
        return { ok: false, claimed: name };
    }
    return null;
  }

  /** A write does not see its own puts, so each row is put once. Returns the new versions. */
  #apply(scope: string, writes: readonly DocumentWrite[]): number[] {
    const records = new Map<string, DocumentRecord | null>();
    const added = new Map<string, Outbox>();
    const versions = writes.map(({ collection, id, value, seal, unchanged, entries = [] }) => {
      const key = keyOf(scope, collection, id);
      const before = records.has(key) ? records.get(key) : this.documents.get(key);
      const sealed = seal === undefined ? {} : { seal };
      if (unchanged === true) {
        if (before && seal !== undefined) records.set(key, { ...before, seal });
        return before?.version ?? 0;
      }
      const version = (before?.version ?? 0) + 1;
      records.set(key, value === null ? null : { version, value, ...sealed });
      if (entries.length > 0) {
        const outbox = added.get(key) ??
          this.outboxes.get(key) ?? { place: this.#nextPosition(), entries: [] };
        added.set(key, { ...outbox, entries: [...outbox.entries, ...entries] });
      }
      return version;
    });
    for (const [key, record] of records) {
      if (record === null) this.documents.remove(key);
      else this.documents.put(key, record);
    }
    for (const [key, outbox] of added) {
      this.outboxes.put(key, outbox);
      this.worklist.put(outbox.place, key);
    }
    return versions;
  }
}

/** Increasing positions that sort as text, after the last one in use. */
function positionsFrom(last: string | undefined): () => string {
  let position = last === undefined ? 0 : Number(last);
  return () => {
    position += 1;
    return String(position).padStart(15, '0');
  };
}
