import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { isRetryable } from '#platform/flow/service-error.ts';
import { Contended, changeDocument, MAX_ATTEMPTS, unchanged } from './change-document.ts';
import { openEmbeddedState } from './lmdb/state.ts';
import type { DocumentRef, Documents, DocumentWrite, PendingEntry, State } from './port.ts';

interface Counter {
  readonly count: number;
}

let folder: string;
let state: State;
let scopes = 0;
let counter: DocumentRef;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'change-document-'));
  state = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now });
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  scopes += 1;
  counter = { scope: `scope-${scopes}`, collection: 'counters', id: 'one' };
});

const stored = () => state.documents.get<Counter>(counter);
const put = (count: number, ref = counter) =>
  state.documents.write(ref.scope, [{ collection: ref.collection, id: ref.id, value: { count } }]);
const entryOf = (entryId: string): PendingEntry => ({
  entryId,
  topic: 'ledger',
  key: counter.scope,
  valueBase64: '',
  headers: {},
});

/** Increments the count; the first `lost` attempts lose to a writer that adds a hundred. */
async function countUp(lost: number): Promise<{ readonly count: number; readonly attempts: number }> {
  let attempts = 0;
  const count = await changeDocument<Counter, number>(state, counter, async (found) => {
    attempts += 1;
    const before = found?.value.count ?? 0;
    if (attempts <= lost) await put(before + 100);
    return { value: { count: before + 1 }, result: before + 1 };
  });
  return { count, attempts };
}

/** Documents whose every write loses, and nothing is written. */
function contended(): {
  readonly documents: Pick<Documents, 'get' | 'write'>;
  readonly writes: () => number;
} {
  let writes = 0;
  const write = async () => {
    writes += 1;
    return { ok: false, conflict: counter } as const;
  };
  return { documents: { get: (ref) => state.documents.get(ref), write }, writes: () => writes };
}

describe('a change', () => {
  test('creates a missing document, changes an existing one, and deletes it', async () => {
    expect(await countUp(0)).toEqual({ count: 1, attempts: 1 });
    expect(await stored()).toMatchObject({ version: 1, value: { count: 1 } });
    expect(await countUp(0)).toEqual({ count: 2, attempts: 1 });
    expect(await stored()).toMatchObject({ version: 2, value: { count: 2 } });
    await changeDocument<Counter>(state, counter, () => ({ value: null, result: undefined }));
    expect(await stored()).toBeNull();
  });

  test('a change that lost to other writers is decided again on their result', async () => {
    expect(await countUp(2)).toEqual({ count: 201, attempts: 3 });
    expect(await stored()).toMatchObject({ version: 3, value: { count: 201 } });
  });

  test('concurrent changes by many writers all take effect', async () => {
    await Promise.all(Array.from({ length: 20 }, () => countUp(0)));
    expect(await stored()).toMatchObject({ version: 20, value: { count: 20 } });
  });

  test('an unchanged decision writes nothing', async () => {
    await put(7);
    const seen = await changeDocument<Counter, number>(state, counter, (found) =>
      unchanged(found?.value.count ?? 0),
    );
    expect(seen).toBe(7);
    expect(await stored()).toMatchObject({ version: 1, value: { count: 7 } });
  });

  test('a decision that throws writes nothing and is not retried', async () => {
    let attempts = 0;
    const refused = changeDocument<Counter>(state, counter, () => {
      attempts += 1;
      throw new RangeError('no more');
    });
    await expect(refused).rejects.toThrow(new RangeError('no more'));
    expect(attempts).toBe(1);
    expect(await stored()).toBeNull();
  });

  test('a change that always loses is given up with a retryable error', async () => {
    const { documents, writes } = contended();
    const lost = changeDocument<Counter>({ documents }, counter, () => ({
      value: { count: 1 },
      result: undefined,
    }));
    const error: unknown = await lost.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Contended);
    expect(isRetryable(error)).toBe(true);
    expect(writes()).toBe(MAX_ATTEMPTS);
    expect(await stored()).toBeNull();
  });
});

describe('writes with a document', () => {
  const other = (): DocumentRef => ({ ...counter, id: 'other' });
  const changeBoth = (others: (attempt: number) => readonly DocumentWrite[]) => {
    const announced: DocumentRef[] = [];
    let attempt = 0;
    const done = changeDocument<Counter, number>(
      { documents: state.documents, announce: (ref) => announced.push(ref) },
      counter,
      () => {
        attempt += 1;
        const entries = [entryOf(`first:${attempt}`)];
        return { value: { count: attempt }, entries, others: others(attempt), result: attempt };
      },
    );
    return done.then((attempts) => ({ attempts, announced }));
  };

  test('documents of a change are written as a whole, and each outbox with entries is then announced', async () => {
    const { collection } = counter;
    const { announced } = await changeBoth(() => [
      { collection, id: 'other', value: { count: 5 }, entries: [entryOf('second:1')] },
      { collection, id: 'third', value: { count: 6 } },
    ]);
    expect(announced).toEqual([counter, other()]);
    expect(await state.documents.pending(counter)).toEqual([entryOf('first:1')]);
    expect(await state.documents.pending(other())).toEqual([entryOf('second:1')]);
    expect(await state.documents.ids(counter.scope, collection)).toEqual(['one', 'other', 'third']);
  });

  test('a change is decided again when another document differs from what it read', async () => {
    await put(1, other());
    const { attempts, announced } = await changeBoth((attempt) => [
      // The first attempt read it before it existed.
      { ...other(), expectedVersion: attempt - 1, value: null, unchanged: true },
    ]);
    expect(attempts).toBe(2);
    expect(announced).toEqual([counter]);
    expect(await stored()).toMatchObject({ version: 1, value: { count: 2 } });
    expect(await state.documents.pending(counter)).toEqual([entryOf('first:2')]);
  });

  test('a change is not written, nor retried, when another writer has claimed a name', async () => {
    const claim = { name: `name of ${counter.scope}`, value: 1 };
    const claiming = (value: number) =>
      changeDocument<Counter>(state, { ...counter, id: `claims-${value}` }, () => ({
        value: { count: value },
        claims: [{ ...claim, value }],
        result: undefined,
      }));
    await claiming(1);
    await expect(claiming(2)).rejects.toThrow('claim');
    expect(await state.documents.ids(counter.scope, counter.collection)).toEqual(['claims-1']);
  });
});
