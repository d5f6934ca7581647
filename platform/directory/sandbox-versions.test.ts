import { expect, test } from '@jest/globals';
import { memoryState } from '../stream/testing/memory-state.ts';
import { SANDBOX_VERSIONS } from './records.ts';
import { sandboxVersions, UnknownSandboxVersion } from './sandbox-versions.ts';

test('versions are read once while they are in use, the least recently used goes first', async () => {
  const { documents } = memoryState();
  for (const id of ['s:1', 's:2', 's:3']) {
    await documents.write('alice', [{ collection: SANDBOX_VERSIONS, id, value: { id } }]);
  }
  const reads: string[] = [];
  const get: typeof documents.get = (ref) => {
    reads.push(ref.id);
    return documents.get(ref);
  };
  const versions = sandboxVersions({ get }, 2);
  for (const version of [1, 2, 1, 3, 1, 2]) {
    expect(await versions('alice', 's', version)).toEqual({ id: `s:${version}` });
  }
  expect(reads).toEqual(['s:1', 's:2', 's:3', 's:2']);
});

test('an unknown version, and another customer’s, is an error that is not remembered', async () => {
  const { documents } = memoryState();
  const versions = sandboxVersions(documents);
  await expect(versions('alice', 's', 1)).rejects.toThrow(UnknownSandboxVersion);
  await documents.write('alice', [{ collection: SANDBOX_VERSIONS, id: 's:1', value: { id: 's' } }]);
  expect(await versions('alice', 's', 1)).toEqual({ id: 's' });
  await expect(versions('bob', 's', 1)).rejects.toThrow(UnknownSandboxVersion);
});
