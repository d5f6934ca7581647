import { expect, test } from '#jest';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { SANDBOX_VERSIONS } from '../documents/sandbox-record.ts';
import { sandboxVersions, UnknownSandboxVersion } from './sandbox-versions.ts';

test('versions are read once while in use; the least recently used is evicted first', async () => {
  const { documents } = memoryState();
  for (const id of ['s:1', 's:2', 's:3']) {
    await documents.write('alice', [{ collection: SANDBOX_VERSIONS, id, value: { id, customRules: [] } }]);
  }
  const reads: string[] = [];
  const get: typeof documents.get = (ref) => {
    reads.push(ref.id);
    return documents.get(ref);
  };
  const versions = sandboxVersions({ get }, 2);
  for (const version of [1, 2, 1, 3, 1, 2]) {
    expect(await versions('alice', 's', version)).toMatchObject({ id: `s:${version}` });
  }
  expect(reads).toEqual(['s:1', 's:2', 's:3', 's:2']);
});

test('an unknown version, or another customer’s, is an error that is not cached', async () => {
  const { documents } = memoryState();
  const versions = sandboxVersions(documents);
  await expect(versions('alice', 's', 1)).rejects.toThrow(UnknownSandboxVersion);
  await documents.write('alice', [
    { collection: SANDBOX_VERSIONS, id: 's:1', value: { id: 's', customRules: [] } },
  ]);
  expect(await versions('alice', 's', 1)).toMatchObject({ id: 's' });
  await expect(versions('bob', 's', 1)).rejects.toThrow(UnknownSandboxVersion);
});

test('versions with long rules are cached up to a number of characters, however few they are', async () => {
  const { documents } = memoryState();
  const reads: string[] = [];
  const get: typeof documents.get = (ref) => {
    reads.push(ref.id);
    return documents.get(ref);
  };
  const versions = sandboxVersions({ get }, 1_000, 100_000);
  for (let n = 1; n <= 10; n += 1) {
    const value = { name: 's', customRules: Array(50).fill('x'.repeat(500)) };
    await documents.write('alice', [{ collection: SANDBOX_VERSIONS, id: `s:${n}`, value }]);
    await versions('alice', 's', n);
  }
  // Three versions of some 26,000 characters fit.
  for (const n of [10, 9, 8, 7]) await versions('alice', 's', n);
  expect(reads.slice(10)).toEqual(['s:7']);
});
