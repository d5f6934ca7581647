import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import {
  API_KEYS,
  CUSTOMERS,
  type DocumentRef,
  type DocumentWrite,
  SANDBOX_SLUGS,
  SESSIONS,
  type State,
  type StoredDocument,
} from '#platform/state/port.ts';
import { noteRead, placeOfCollection, STATE_TABLES } from './reads.ts';

/** A state whose file can be replaced while in use, as a restart with another file would. */
export interface ReopenedState {
  readonly state: State;
  /** Saves the file's current content, which `restore` puts back. */
  keep(): Promise<void>;
  /** Opens a copy of the saved file after `change` has written to it. Caches start empty, as in a new process. */
  restore(change?: (file: string) => Promise<void>): Promise<void>;
  /** A document's content before its last write, by scope, collection and id; absent if it has one version. */
  readonly earlier: ReadonlyMap<string, EarlierDocument>;
  close(): Promise<void>;
}

/** With its seal, as in a backup of the file. */
export type EarlierDocument = Omit<StoredDocument, 'id'>;

export const documentKey = (scope: string, collection: string, id: string): string =>
  [scope, collection, id].join('\u001f');

const PARTS = ['admission', 'idempotency', 'expiring'] as const;
/** Collections that admission reads itself. */
const OF_ADMISSION = [CUSTOMERS, API_KEYS, SESSIONS, SANDBOX_SLUGS];

/** What a call of `documents` reads: a collection, or claims and outboxes. */
function placesOf(name: string, [first, second]: readonly unknown[]): string[] {
  if (name === 'get') return [placeOfCollection((first as DocumentRef).collection)];
  if (name === 'list' || name === 'ids') return [placeOfCollection(String(second))];
  if (name !== 'write') return [STATE_TABLES];
  return (second as readonly DocumentWrite[]).map(({ collection }) => placeOfCollection(collection));
}

/**
 * A state that forwards its calls to the currently open one and records what they read. `beforeWrite` is awaited before
 * each write of documents.
 */
function forwardedState(
  current: () => State,
  beforeWrite: (scope: string, writes: readonly DocumentWrite[]) => Promise<void>,
): State {
  const call =
    (owner: () => object, name: string) =>
    (...args: unknown[]): unknown =>
      (owner() as Record<string, (...args: unknown[]) => unknown>)[name]!(...args);
  const noted = (part: string, name: string) => {
    const calls = call(() => current()[part as 'admission'], name);
    return (...args: unknown[]): unknown => {
      noteRead(STATE_TABLES);
      if (part === 'admission')
        for (const collection of OF_ADMISSION) noteRead(placeOfCollection(collection));
      return calls(...args);
    };
  };
  const forwarded = (part: string): object => new Proxy({}, { get: (_, name) => noted(part, String(name)) });
  const documents = new Proxy(
    {},
    {
      get:
        (_, name) =>
        async (...args: unknown[]) => {
          if (name === 'write') await beforeWrite(...(args as [string, DocumentWrite[]]));
          for (const place of placesOf(String(name), args)) noteRead(place);
          return call(() => current().documents, String(name))(...args);
        },
    },
  );
  const own = ['ping', 'connections', 'removeRemains', 'scrub', 'close'].map((name) => [
    name,
    call(current, name),
  ]);
  // A plain object, because other code spreads it.
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(PARTS.map((part) => [part, forwarded(part)])),
    documents,
  } as State;
}

/** `first`: the open state. `file`: its file. */
export function reopenedState(first: State, fileOf: () => string, now: () => number): ReopenedState {
  let current = first;
  let copies = 0;
  let isRecording = true;
  const folderOf = (): string => path.join(path.dirname(fileOf()), '..', 'copies');
  const keptFile = (): string => path.join(folderOf(), 'kept.mdb');
  let file: string | null = null;

  const earlier = new Map<string, EarlierDocument>();
  const remember = async (scope: string, writes: readonly DocumentWrite[]): Promise<void> => {
    for (const { collection, id, unchanged } of writes) {
      // It only guards the document's version, which stays the same.
      if (unchanged === true) continue;
      const before = await current.documents.get({ scope, collection, id });
      if (before === null) continue;
      const { id: _, ...document } = before;
      earlier.set(documentKey(scope, collection, id), document);
    }
  };
  const state = forwardedState(
    () => current,
    async (scope, writes) => {
      if (isRecording) await remember(scope, writes);
    },
  );

  const leave = async (): Promise<void> => {
    await current.close();
    if (file !== null) for (const name of [file, `${file}-lock`]) rmSync(name, { force: true });
  };
  return {
    state,
    earlier,
    keep: async () => {
      isRecording = false;
      mkdirSync(folderOf(), { recursive: true });
      await current.close();
      copyFileSync(file ?? fileOf(), keptFile());
      current = await openEmbeddedState({ path: file ?? fileOf(), now });
    },
    restore: async (change) => {
      await leave();
      // The library identifies open files by name.
      copies += 1;
      file = path.join(folderOf(), `${copies}.mdb`);
      copyFileSync(keptFile(), file);
      await change?.(file);
      current = await openEmbeddedState({ path: file, now });
    },
    close: leave,
  };
}
