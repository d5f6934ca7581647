import { beforeEach, expect, test } from '#jest';
import type { DocumentRef, Documents, State } from '#platform/state/port.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { documentSeals, sealedState } from './document-seals.ts';

const seals = documentSeals(Buffer.alloc(32, 1));
const ref: DocumentRef = { scope: 'alice', collection: 'apiKeys', id: 'k-1' };
const { collection, id } = ref;
let documents: Documents;
let written: (string | undefined)[];
beforeEach(() => {
  written = [];
  const { documents: unsealed } = memoryState();
  const write: Documents['write'] = (scope, writes) => {
    written = writes.map(({ seal }) => seal);
    return unsealed.write(scope, writes);
  };
  ({ documents } = sealedState({ documents: { ...unsealed, write } } as unknown as State, seals));
});

const stored = (value: unknown, version: number, seal: string) => ({ id, value, version, seal });

test('a document matches its seal, whatever the order of its fields', async () => {
  await documents.write('alice', [
    { collection, id, expectedVersion: 0, value: { a: 1, b: [{ c: null, d: '' }] } },
  ]);
  const [seal] = written as [string];
  expect(seals.isIntact(ref, stored({ b: [{ d: '', c: null }], a: 1 }, 1, seal))).toBe(true);
});

test('another value, version, owner, collection, id or master key does not match', async () => {
  await documents.write('alice', [{ collection, id, expectedVersion: 0, value: { status: 'revoked' } }]);
  const [seal] = written as [string];
  const value = { status: 'revoked' };
  expect([
    seals.isIntact(ref, stored({ status: 'active' }, 1, seal)),
    seals.isIntact(ref, stored(value, 2, seal)),
    seals.isIntact({ ...ref, scope: 'bob' }, stored(value, 1, seal)),
    seals.isIntact({ ...ref, collection: 'users' }, stored(value, 1, seal)),
    seals.isIntact({ ...ref, id: 'k-2' }, stored(value, 1, seal)),
    seals.isIntact(ref, stored(value, 1, '')),
    seals.isIntact(ref, { id, value, version: 1 }),
    documentSeals(Buffer.alloc(32, 2)).isIntact(ref, stored(value, 1, seal)),
    seals.isIntact(ref, stored(value, 1, seal)),
  ]).toEqual([...Array.from({ length: 8 }, () => false), true]);
});

test('a write that expects no version seals only the value; deletions and comparisons get no seal', async () => {
  await documents.write('alice', [
    { collection, id, value: 'any' },
    { collection, id: 'k-2', value: null },
    { collection, id: 'k-3', value: 1, unchanged: true },
    { collection: 'meta', id: 'logEpoch', value: 1 },
  ]);
  const [seal, ...others] = written;
  expect(others).toEqual([undefined, undefined, undefined]);
  expect([1, 7].map((version) => seals.isIntact(ref, stored('any', version, seal!)))).toEqual([true, true]);
});
