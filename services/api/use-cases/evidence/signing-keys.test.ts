import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openNote } from '#core/evidence/checkpoint/signed-note.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import { signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';
import { registerSigningKey, signingKeys } from './signing-keys.ts';
import { shownCheckpoint } from './tree/proofs.ts';

let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

function makeKey(): ApiDependencies['signingKey'] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return {
    keyId: hash('sha256', raw).slice(0, 16),
    publicKey: raw,
    sign: (message: Buffer) => sign(null, message, privateKey),
  } as ApiDependencies['signingKey'];
}

/** The service as it runs with this key from a time on. */
async function withKey(signingKey: ApiDependencies['signingKey'], at: number): Promise<ApiDependencies> {
  const { dependencies } = world.harness;
  const signingKeySince = await registerSigningKey(dependencies.state.documents, signingKey, at);
  return { ...dependencies, signingKey, settings: { ...dependencies.settings, signingKeySince } };
}

test('a key that was replaced stays published until the next one’s beginning, and what it signed stays proved', async () => {
  const { id } = await world.harness.customer();
  const [first, second] = [makeKey(), makeKey()];
  const before = await withKey(first, 1_000);
  await storeChain(world, id, signalChain(id, 3));
  await growTree(world.real.warehouse, id, 3);
  const older = await shownCheckpoint(before, id);
  const after = await withKey(second, 2_000);
  // The same size and root, signed by the other key: no two notes of one size differ in what they say.
  const newer = await shownCheckpoint(after, id);
  const text = (note: string): string => note.slice(0, note.indexOf('\n\n'));
  expect(text(newer.note)).toBe(text(older.note));
  const keys = await signingKeys(after);
  expect(
    keys.map(({ keyId, validFrom, validTo }) => [
      keyId,
      Date.parse(validFrom),
      validTo && Date.parse(validTo),
    ]),
  ).toEqual([
    [first.keyId, 1_000, 2_000],
    [second.keyId, 2_000, null],
  ]);
  const [old, present] = keys.map(({ vkey }) => parseVerifierKey(vkey)!);
  expect([openNote(older.note, [old!])?.signedBy, openNote(older.note, [present!])]).toEqual([[old], null]);
  expect([openNote(newer.note, [present!])?.signedBy, openNote(newer.note, [old!])]).toEqual([
    [present],
    null,
  ]);
  // A start with the same key is no new beginning.
  expect(await registerSigningKey(after.state.documents, second, 9_000)).toBe(new Date(2_000).toISOString());
});

test('a key of an earlier release gets its public key noted, and keeps its beginning', async () => {
  const { documents } = world.harness.dependencies.state;
  const key = makeKey();
  const since = '2026-01-02T03:04:05.000Z';
  await documents.write('system', [{ collection: 'signingKeys', id: key.keyId, value: { since } }]);
  expect(await registerSigningKey(documents, key, 5_000)).toBe(since);
  expect(await documents.get({ scope: 'system', collection: 'signingKeys', id: key.keyId })).toMatchObject({
    value: { since, publicKey: key.publicKey.toString('base64') },
  });
});
