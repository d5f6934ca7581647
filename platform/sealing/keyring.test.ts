import { describe, expect, test } from '#jest';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { KEKS } from './customer-keys.ts';
import { CACHE_MS, openKeyring } from './keyring.ts';
import { CannotOpen, KeyAbsent, KeyDestroyed, MasterKeyMismatch } from './port.ts';

const MASTER = Buffer.alloc(32, 7);
const TEXT = Buffer.from('{"prompt":"hello","response":"world"}');
const KEK_REF = { scope: 'alice', collection: KEKS, id: 'current' };

function setUp() {
  const state = memoryState();
  let time = 1_000_000;
  const open = (masterKey = MASTER) => openKeyring({ state, masterKey, now: () => time });
  return { state, open, keyring: open(), pass: (ms: number) => (time += ms) };
}

describe('seal and open', () => {
  test('opens what was sealed, even in another process', async () => {
    const { keyring, open } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    expect(await open().open('alice', 'triplet', 'a1', sealed)).toEqual(TEXT);
    expect(sealed.ciphertext.includes('hello')).toBe(false);
  });

  test('seals with one data key while the customer key is cached, and never gives the same bytes twice', async () => {
    const { keyring, open, pass } = setUp();
    const seal = (ring = keyring) => ring.seal('alice', 'triplet', 'a1', TEXT);
    const [one, two] = [await seal(), await seal()];
    expect(one.wrappedKey).toEqual(two.wrappedKey);
    expect(one.iv.equals(two.iv)).toBe(false);
    expect(one.ciphertext.equals(two.ciphertext)).toBe(false);
    pass(CACHE_MS);
    const others = [await seal(), await seal(open()), await keyring.seal('bob', 'triplet', 'a1', TEXT)];
    expect(new Set([one, ...others].map(({ wrappedKey }) => wrappedKey.toString('hex'))).size).toBe(4);
  });

  test('opens records sealed with more data keys than are cached', async () => {
    const { keyring, open } = setUp();
    const sealed = await Promise.all(
      Array.from({ length: 40 }, (_, n) => open().seal('alice', 'triplet', `a${n}`, TEXT)),
    );
    for (const [n, one] of [...sealed.entries(), ...sealed.entries()])
      expect(await keyring.open('alice', 'triplet', `a${n}`, one)).toEqual(TEXT);
  });

  test('does not open a record with any bit flipped', async () => {
    const { keyring } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    for (const part of ['wrappedKey', 'iv', 'ciphertext'] as const) {
      for (let bit = 0; bit < sealed[part].length * 8; bit++) {
        const bytes = Buffer.from(sealed[part]);
        bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
        const changed = { ...sealed, [part]: bytes };
        await expect(keyring.open('alice', 'triplet', 'a1', changed)).rejects.toThrow(CannotOpen);
      }
    }
    const otherKey = { ...sealed, kekId: sealed.kekId.replace(/^./, (c) => (c === '0' ? '1' : '0')) };
    await expect(keyring.open('alice', 'triplet', 'a1', otherKey)).rejects.toThrow(CannotOpen);
  });

  test('does not open a record with a part of another length', async () => {
    const { keyring } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    for (const part of ['wrappedKey', 'iv', 'ciphertext'] as const) {
      const lengths = Array.from({ length: sealed[part].length }, (_, n) => sealed[part].subarray(0, n));
      for (const bytes of [...lengths, Buffer.concat([sealed[part], Buffer.alloc(8)])]) {
        const changed = { ...sealed, [part]: bytes };
        await expect(keyring.open('alice', 'triplet', 'a1', changed)).rejects.toThrow(CannotOpen);
      }
    }
  });

  test('is bound to customer, purpose, record and customer key', async () => {
    const { keyring, pass } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    const bobs = await keyring.seal('bob', 'triplet', 'a1', TEXT);
    await expect(keyring.open('alice', 'triplet', 'a2', sealed)).rejects.toThrow(CannotOpen);
    await expect(keyring.open('alice', 'detail', 'a1', sealed)).rejects.toThrow(CannotOpen);
    await expect(keyring.open('bob', 'triplet', 'a1', sealed)).rejects.toThrow(CannotOpen);
    // Relabelling it with the other customer's key id does not help either.
    const relabelled = { ...sealed, kekId: bobs.kekId };
    await expect(keyring.open('bob', 'triplet', 'a1', relabelled)).rejects.toThrow(CannotOpen);
    pass(CACHE_MS);
    const mixed = { ...sealed, wrappedKey: (await keyring.seal('alice', 'triplet', 'a2', TEXT)).wrappedKey };
    await expect(keyring.open('alice', 'triplet', 'a1', mixed)).rejects.toThrow(CannotOpen);
  });
});

describe('customer keys', () => {
  test('concurrent creators agree on one', async () => {
    const { open } = setUp();
    const rings = Array.from({ length: 8 }, () => open());
    const sealed = await Promise.all(rings.map((ring) => ring.seal('alice', 'detail', 'SIGNAL:1', TEXT)));
    expect(new Set(sealed.map((one) => one.kekId)).size).toBe(1);
    for (const one of sealed) expect(await open().open('alice', 'detail', 'SIGNAL:1', one)).toEqual(TEXT);
  });

  test('an absent key is distinguished from a record that cannot be opened', async () => {
    const { keyring } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    await expect(setUp().keyring.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow(KeyAbsent);
  });

  test('the stored key is useless without the master key, or with another customer’s id', async () => {
    const { keyring, open, state } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    const other = open(Buffer.alloc(32, 8));
    await expect(other.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow(MasterKeyMismatch);
    const stored = await state.documents.get(KEK_REF);
    await state.documents.write('bob', [{ collection: KEKS, id: 'current', value: stored?.value }]);
    await expect(open().open('bob', 'triplet', 'a1', sealed)).rejects.toThrow(MasterKeyMismatch);
  });

  test('a state that has adopted a master key refuses any other', async () => {
    const { keyring, open } = setUp();
    const other = open(Buffer.alloc(32, 8));
    await Promise.all([keyring.verify(), other.verify()]);
    await keyring.adopt();
    await keyring.adopt();
    await keyring.verify();
    await expect(other.verify()).rejects.toThrow(MasterKeyMismatch);
    await expect(other.adopt()).rejects.toThrow(MasterKeyMismatch);
  });

  test('of two concurrent adoptions, one is refused', async () => {
    const { keyring, open } = setUp();
    const both = await Promise.allSettled([keyring.adopt(), open(Buffer.alloc(32, 8)).adopt()]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('an unreachable state is reported, but a cached key is used for five more seconds', async () => {
    const { keyring, state, pass } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    state.down = true;
    pass(CACHE_MS - 1);
    expect(await keyring.open('alice', 'triplet', 'a1', sealed)).toEqual(TEXT);
    pass(1);
    await expect(keyring.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow('the state is down');
  });
});

describe('a destroyed key', () => {
  test('neither opens nor seals anything, and never comes back', async () => {
    const { keyring, open, pass } = setUp();
    const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    const elsewhere = open();
    await elsewhere.open('alice', 'triplet', 'a1', sealed);
    await keyring.destroy('alice');
    await keyring.destroy('alice');
    await expect(keyring.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow(KeyDestroyed);
    await expect(keyring.seal('alice', 'triplet', 'a1', TEXT)).rejects.toThrow(KeyDestroyed);
    await expect(keyring.hashKey('alice')).rejects.toThrow(KeyDestroyed);
    await expect(keyring.fingerprintKey('alice')).rejects.toThrow(KeyDestroyed);
    pass(CACHE_MS);
    await expect(elsewhere.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow(KeyDestroyed);
  });

  test('leaves no key material in its document', async () => {
    const { keyring, state } = setUp();
    const { kekId } = await keyring.seal('alice', 'triplet', 'a1', TEXT);
    await keyring.destroy('alice');
    expect((await state.documents.get(KEK_REF))?.value).toEqual({ status: 'destroyed', kekId });
  });

  test('leaves a mark even if there was no key yet', async () => {
    const { keyring } = setUp();
    await keyring.destroy('alice');
    await expect(keyring.seal('alice', 'triplet', 'a1', TEXT)).rejects.toThrow(KeyDestroyed);
  });
});

test('the hash key is stable per customer and differs between customers', async () => {
  const { keyring, open } = setUp();
  const key = await keyring.hashKey('alice');
  expect(key).toHaveLength(32);
  expect(await open().hashKey('alice')).toEqual(key);
  expect((await keyring.hashKey('bob')).equals(key)).toBe(false);
});

test('the fingerprint key is stable per customer, differs between customers, and is not part of another key', async () => {
  const { keyring, open } = setUp();
  const key = await keyring.fingerprintKey('alice');
  expect(key).toHaveLength(16);
  expect(await keyring.fingerprintKey('alice')).toEqual(key);
  expect(await open().fingerprintKey('alice')).toEqual(key);
  expect((await keyring.fingerprintKey('bob')).equals(key)).toBe(false);
  expect((await keyring.hashKey('alice')).includes(key)).toBe(false);
});

test('a fingerprint key is derived once for the same customer key, however often that is read', async () => {
  const { keyring, pass } = setUp();
  const key = await keyring.fingerprintKey('alice');
  pass(CACHE_MS);
  expect(await keyring.fingerprintKey('alice')).toBe(key);
  pass(-10 * CACHE_MS);
  expect(await keyring.fingerprintKey('alice')).toBe(key);
});

test('a key of unknown age, because the clock was set back, is not used again when the clock has caught up', async () => {
  const { keyring, state, pass } = setUp();
  const sealed = await keyring.seal('alice', 'triplet', 'a1', TEXT);
  state.documents.get = () => Promise.reject(new Error('the state is down'));
  expect(await keyring.open('alice', 'triplet', 'a1', sealed)).toEqual(TEXT);
  pass(-1);
  await expect(keyring.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow('the state is down');
  pass(1);
  await expect(keyring.open('alice', 'triplet', 'a1', sealed)).rejects.toThrow('the state is down');
});

test('the cache has a maximum number of customers; beyond it, the key loaded first is evicted', async () => {
  const { keyring, state } = setUp();
  const reads: string[] = [];
  const { get } = state.documents;
  state.documents.get = (ref) => {
    reads.push(ref.scope);
    return get(ref);
  };
  for (let n = 0; n <= 10_000; n++) await keyring.seal(`c${n}`, 'triplet', 'a1', TEXT);
  reads.length = 0;
  await keyring.seal('c10000', 'triplet', 'a1', TEXT);
  await keyring.seal('c1', 'triplet', 'a1', TEXT);
  expect(reads).toEqual([]);
  await keyring.seal('c0', 'triplet', 'a1', TEXT);
  expect(reads).toEqual(['c0']);
});
