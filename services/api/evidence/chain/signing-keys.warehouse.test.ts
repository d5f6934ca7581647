import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Registry } from 'prom-client';
import { openNote } from '#core/evidence/checkpoint/signed-note.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import {
  announceKey,
  loadSigningKey,
  readAnnouncement,
  type SigningKey,
} from '#platform/sealing/signing-key.ts';
import { registerSigningKey, signingKeyStatus, signingKeys } from '#records/ledger/signing-keys.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { buildApp } from '../../app.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { type Harness, startHarness } from '../../testing/harness.ts';
import { signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';
import { shownCheckpoint } from '../proofs/proofs.ts';

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

/** The service running with this key from this time on. */
async function withKey(signingKey: ApiDependencies['signingKey'], at: number): Promise<ApiDependencies> {
  const { dependencies } = world.harness;
  const signingKeySince = await registerSigningKey(dependencies.state.documents, signingKey, at);
  return { ...dependencies, signingKey, settings: { ...dependencies.settings, signingKeySince } };
}

test('a replaced key stays published until its successor’s start, and its signatures stay valid', async () => {
  const { id } = await world.harness.customer();
  const [first, second] = [makeKey(), makeKey()];
  const before = await withKey(first, 1_000);
  await storeChain(world, id, signalChain(id, 3));
  await growTree(world.real.warehouse, id, 3);
  const older = await shownCheckpoint(before, id);
  const after = await withKey(second, 2_000);
  // The same size and root, signed by the other key: two notes of one size never contradict each other.
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
  // A restart with the same key keeps its start time.
  expect(await registerSigningKey(after.state.documents, second, 9_000)).toBe(new Date(2_000).toISOString());
});

test('an earlier release’s key gets its public key recorded, and keeps its start time', async () => {
  const { documents } = world.harness.dependencies.state;
  const key = makeKey();
  const since = '2026-01-02T03:04:05.000Z';
  await documents.write('system', [{ collection: 'signingKeys', id: key.keyId, value: { since } }]);
  expect(await registerSigningKey(documents, key, 5_000)).toBe(since);
  expect(await documents.get({ scope: 'system', collection: 'signingKeys', id: key.keyId })).toMatchObject({
    value: { since, publicKey: key.publicKey.toString('base64') },
  });
});

describe('a replacement key', () => {
  const OLD = '2026-01-01T00:00:00.000Z';
  const NEW = '2026-02-01T00:00:00.000Z';
  const register = (key: SigningKey, at: string, announcement: Buffer | null = null) =>
    registerSigningKey(own.state.documents, key, Date.parse(at), announcement);
  const status = (signingKey: SigningKey) => signingKeyStatus({ ...own.dependencies, signingKey });
  const keyRef = ({ keyId }: SigningKey) => ({ scope: 'system', collection: 'signingKeys', id: keyId });
  let own: Harness;
  let old: SigningKey;
  let next: SigningKey;
  let nextFile: string;
  beforeEach(async () => {
    own = await startHarness();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'keys-'));
    nextFile = path.join(folder, 'next.pem');
    old = loadSigningKey(path.join(folder, 'old.pem'), { create: true });
    next = loadSigningKey(nextFile, { create: true });
    await register(old, OLD);
  });
  afterEach(async () => {
    await own.close();
    await rm(path.dirname(nextFile), { recursive: true });
  });

  test('without an announcement is shown as such, with its time and the previous key', async () => {
    expect(await status(old)).toMatchObject({ replaced: null, announced: true, listIntact: true });
    expect(readAnnouncement(nextFile)).toBeNull();
    await register(next, NEW, readAnnouncement(nextFile));
    const shown = { keyId: next.keyId, since: NEW, replaced: old.keyId, announced: false, listIntact: true };
    expect(await status(next)).toEqual(shown);
    const dependencies = { ...own.dependencies, signingKey: next };
    const app = buildApp({ ...dependencies, metrics: new Registry() });
    const { headers } = await own.customer();
    const ask = async (url: string) =>
      (await app.inject({ url: `/evidence/hash-chain/${url}`, headers })).json().data;
    expect((await ask('verify')).signingKey).toEqual(shown);
    expect((await ask('keys')).map(({ announced }: { announced: boolean }) => announced)).toEqual([
      true,
      false,
    ]);
    await app.close();
  });

  test('is planned if the previous key announced it, and not if another key did', async () => {
    const stranger = makeKey();
    announceKey(stranger, next, nextFile);
    await register(next, NEW, readAnnouncement(nextFile));
    expect((await status(next)).announced).toBe(false);
    await own.state.documents.write('system', [{ ...keyRef(next), value: null }]);
    announceKey(old, next, nextFile);
    await register(next, NEW, readAnnouncement(nextFile));
    expect(await status(next)).toMatchObject({ announced: true, listIntact: true });
  });

  test.each(['inserted', 'removed', 'given another time', 'given another public key', 'its own removed'])(
    'detects that a key of the list was %s',
    async (how) => {
      announceKey(old, next, nextFile);
      await register(next, NEW, readAnnouncement(nextFile));
      const forged = makeKey();
      const publicKey = (key: SigningKey): string => key.publicKey.toString('base64');
      const { signature } = (await own.state.documents.get<{ signature: string }>(keyRef(old)))!.value;
      const writes = {
        inserted: { ...keyRef(forged), value: { since: OLD, publicKey: publicKey(forged), signature } },
        removed: { ...keyRef(old), value: null },
        'given another time': { ...keyRef(old), value: { since: NEW, publicKey: publicKey(old), signature } },
        'given another public key': { ...keyRef(old), value: { since: OLD, publicKey: publicKey(forged) } },
        'its own removed': { ...keyRef(next), value: null },
      };
      await own.state.documents.write('system', [writes[how as keyof typeof writes]]);
      expect((await status(next)).listIntact).toBe(false);
      // A start only repairs its own key's entry.
      if (how !== 'its own removed') {
        await register(next, NEW);
        expect((await status(next)).listIntact).toBe(false);
      }
    },
  );
});
