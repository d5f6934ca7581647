import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { DocumentRef, Documents, State } from '#platform/state/port.ts';
import { RECORD_USAGE, type RecordUsage } from '../changes/record-usage.ts';
import { type Directory, openDirectory } from '../directory.ts';
import { checkedCollections } from './checked-collections.ts';

export const AMPLE_BUDGET = {
  versionsPerDay: 1_000,
  sandboxesEver: 1_000,
  apiKeysEver: 1_000,
  incidentsEver: 1_000,
  auditorsEver: 1_000,
  policies: 1_000,
  storedBytes: 2 ** 30,
};
export const AT = '2026-11-01T10:00:00.000Z';

/** One customer's records on an embedded state. Calls are recorded, and can be made to fail. */
export interface RecordsWorld {
  readonly state: State;
  /** The state's documents, recorded. */
  readonly documents: Documents;
  readonly directory: Directory;
  readonly customerId: string;
  /** Documents read one by one, and collections read whole. */
  read: DocumentRef[];
  listed: string[];
  /** Calls until the state fails as if the process were killed, sometimes after the call took effect; null: never. */
  callsLeft: number | null;
  diesAfter: boolean;
  /** Returns the id of a new sandbox. */
  make(slug: string, at?: string): Promise<string>;
  change(
    idOrSlug: string,
    name: string,
    how?: { readonly at?: string; readonly takenOver?: boolean; readonly changeId?: string },
  ): ReturnType<Directory['changeSandbox']>;
  remove(idOrSlug: string, at?: string): ReturnType<Directory['deleteSandbox']>;
  newKey(): ReturnType<Directory['createApiKey']>;
  usage(): Promise<RecordUsage | undefined>;
  /** Repeats an operation, killing it one call later each time, until it completes. */
  cutAnywhere(run: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

export async function startRecordsWorld(): Promise<RecordsWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'records-'));
  const file = path.join(folder, 'state.mdb');
  const state = checkedCollections(await openEmbeddedState({ path: file, now: Date.now }));
  const customerId = v7();
  const documents = watched(state.documents, () => world);
  const directory = openDirectory({
    documents,
    admission: state.admission,
    makeEntry: async ({ kind, id }) => ({
      entryId: `${kind}:${id}`,
      topic: 'ledger',
      key: customerId,
      valueBase64: '',
      headers: {},
    }),
    announce: () => undefined,
    randomBytes,
  });
  const world: RecordsWorld = {
    ...recordsOf(directory, customerId),
    state,
    documents,
    directory,
    customerId,
    read: [],
    listed: [],
    callsLeft: null,
    diesAfter: false,
    usage: async () =>
      (
        await state.documents.get<RecordUsage>({
          scope: customerId,
          collection: RECORD_USAGE,
          id: customerId,
        })
      )?.value,
    cutAnywhere: async (run) => {
      for (let calls = 0; ; calls += 1) {
        world.callsLeft = calls;
        const died = await run().then(
          () => false,
          (error: Error) => {
            if (error.message !== KILLED) throw error;
            return true;
          },
        );
        world.callsLeft = null;
        if (!died) return calls;
      }
    },
    close: async () => {
      await state.close();
      await rm(folder, { recursive: true });
    },
  };
  return world;
}

const KILLED = 'killed here';

function watched(documents: Documents, world: () => RecordsWorld): Documents {
  const count = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    const { callsLeft, diesAfter } = world();
    if (callsLeft === null) return call();
    world().callsLeft = callsLeft - 1;
    if (callsLeft > 0) return call();
    if (diesAfter) await call();
    throw new Error(KILLED);
  };
  return {
    ...documents,
    get: (ref) => {
      world().read.push(ref);
      return count(() => documents.get(ref));
    },
    list: (scope, collection) => {
      world().listed.push(collection);
      return count(() => documents.list(scope, collection));
    },
    ids: (...args) => count(() => documents.ids(...args)),
    write: (...args) => count(() => documents.write(...args)),
  };
}

const recordsOf = (
  directory: Directory,
  customerId: string,
): Pick<RecordsWorld, 'make' | 'change' | 'remove' | 'newKey'> => ({
  make: async (slug, at = AT) => {
    const id = v7();
    const made = await directory.createSandbox({
      customerId,
      id,
      slug,
      name: slug,
      sandboxType: 'CUSTOM',
      regulations: [],
      alertThreshold: 'HIGH',
      guardianAction: 'ALLOW_ALL',
      customRules: ['a rule'],
      region: 'EU',
      active: true,
      redactionStrategy: 'FULL',
      quota: null,
      budget: AMPLE_BUDGET,
      createdAt: at,
    });
    if (!made.ok) throw new Error(made.reason);
    return id;
  },
  change: (idOrSlug, name, { at = AT, takenOver = false, changeId = v7() } = {}) =>
    directory.changeSandbox({
      customerId,
      idOrSlug,
      at,
      changeId,
      takenOver,
      budget: AMPLE_BUDGET,
      settings: (record) => ({ ...record, name }),
    }),
  remove: (idOrSlug, at = AT) =>
    directory.deleteSandbox({ customerId, idOrSlug, at, changeId: v7(), takenOver: false }),
  newKey: () =>
    directory.createApiKey({ customerId, id: v7(), name: 'ci', budget: AMPLE_BUDGET, createdAt: AT }),
});
