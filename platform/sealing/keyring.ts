import { hkdfSync } from 'node:crypto';
import type { State } from '#platform/state/port.ts';
import { type CustomerKey, customerKeys, type FoundKey } from './customer-keys.ts';
import { documentSeals } from './document-seals.ts';
import {
  additionalData,
  type DataKey,
  newDataKey,
  openRecord,
  type RandomBytes,
  sealRecord,
  unwrapDataKey,
} from './envelope.ts';
import { noteMasterKey, refuseOtherMasterKey } from './known-master-key.ts';
import { KEY_BYTES } from './master-key.ts';
import { CannotOpen, KeyAbsent, KeyDestroyed, type Keyring } from './port.ts';

/** Age, in ms, at which a customer's key is read again: how long a destroyed key may still work in other processes. */
export const CACHE_MS = 5_000;
/** Number of customers whose keys are cached. */
const CACHE_SIZE = 10_000;
/** AES-128 (`core/similarity`). */
const FINGERPRINT_KEY_BYTES = 16;
/** Number of unwrapped data keys cached per customer. */
const OPEN_DATA_KEYS = 16;

interface KeyringOptions {
  readonly state: Pick<State, 'documents'>;
  /** 32 bytes (`loadMasterKey`). */
  readonly masterKey: Buffer;
  readonly now?: () => number;
  readonly randomBytes?: RandomBytes;
}

/** Seals and opens with customers' keys, which are cached for at most `CACHE_MS`. */
export function openKeyring(options: KeyringOptions): Keyring {
  if (options.masterKey.length !== KEY_BYTES) throw new Error(`the master key must have ${KEY_BYTES} bytes`);
  const { randomBytes } = options;
  const keys = customerKeys(options.state.documents, options.masterKey, randomBytes);
  const cache = heldKeys(options.now ?? Date.now, randomBytes);

  const findOrCreate = (customerId: string): Promise<HeldKey> | HeldKey => {
    const cached = cache.get(customerId);
    if (cached === 'DESTROYED') throw new KeyDestroyed();
    return cached ?? cache.load(customerId, () => keys.findOrCreate(customerId));
  };
  const find = (customerId: string): Promise<Held> | Held =>
    cache.get(customerId) ?? cache.load(customerId, () => keys.find(customerId));

  return {
    documentSeals: documentSeals(options.masterKey),
    verify: () => refuseOtherMasterKey(options.state.documents, options.masterKey),
    adopt: async () => {
      await noteMasterKey(options.state.documents, options.masterKey);
      await refuseOtherMasterKey(options.state.documents, options.masterKey);
    },
    seal: async (customerId, purpose, recordId, plaintext) => {
      const held = findOrCreate(customerId);
      const { kekId, dataKey } = held instanceof Promise ? await held : held;
      const aad = additionalData(purpose, customerId, recordId, kekId);
      return sealRecord(dataKey(), kekId, aad, plaintext, randomBytes);
    },
    open: async (customerId, purpose, recordId, sealed) => {
      const held = find(customerId);
      // Nearly always a cached key, so there is nothing to wait for.
      const found = held instanceof Promise ? await held : held;
      if (found === 'ABSENT') throw new KeyAbsent();
      if (found === 'DESTROYED') throw new KeyDestroyed();
      if (found.kekId !== sealed.kekId)
        throw new CannotOpen('it refers to another key than the customer has');
      const aad = additionalData(purpose, customerId, recordId, found.kekId);
      return openRecord(found.unwrap(sealed.wrappedKey), aad, sealed);
    },
    destroy: async (customerId) => {
      await keys.destroy(customerId);
      cache.forget(customerId);
    },
    hashKey: async (customerId) => {
      const { key } = await findOrCreate(customerId);
      return derived(key, 'hashed-redaction', customerId, KEY_BYTES);
    },
    fingerprintKey: async (customerId) => {
      const held = findOrCreate(customerId);
      return (held instanceof Promise ? await held : held).fingerprintKey();
    },
  };
}

/** HKDF with SHA-256, without a salt, because the customer's key is random. Another version is another key. */
const derived = (key: Buffer, purpose: string, customerId: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `cas/${purpose}/v1|${customerId}`, bytes));

/** A customer's key with its recently used data keys, which are evicted with it. */
interface HeldKey extends CustomerKey {
  /** The data key under which this process seals the customer's records while the key is cached. */
  dataKey(): DataKey;
  /** Throws `CannotOpen`. */
  unwrap(wrappedKey: Buffer): Buffer;
  /** Derived at the first call. */
  fingerprintKey(): Buffer;
  readonly derivedKeys: Derived;
}

/** The cached form of `found`. */
type Held<Found extends FoundKey = FoundKey> = Found extends CustomerKey ? HeldKey : Found;

/** Values derived from a customer's key: unchanged as long as the key is, however often it is read again. */
interface Derived {
  fingerprintKey?: Buffer;
}

function holdKey(
  customerId: string,
  found: CustomerKey,
  derivedKeys: Derived,
  randomBytes: RandomBytes | undefined,
): HeldKey {
  let own: DataKey | undefined;
  const unwrapped = new Map<string, Buffer>();
  return {
    ...found,
    derivedKeys,
    dataKey: () => {
      own ??= newDataKey(found.key, randomBytes);
      return own;
    },
    fingerprintKey: () => {
      derivedKeys.fingerprintKey ??= derived(found.key, 'fingerprint', customerId, FINGERPRINT_KEY_BYTES);
      return derivedKeys.fingerprintKey;
    },
    unwrap: (wrappedKey) => {
      const name = wrappedKey.toString('latin1');
      const known = unwrapped.get(name);
      if (known !== undefined) return known;
      const key = unwrapDataKey(found.key, wrappedKey);
      if (unwrapped.size >= OPEN_DATA_KEYS) unwrapped.delete(unwrapped.keys().next().value as string);
      unwrapped.set(name, key);
      return key;
    },
  };
}

interface Entry {
  readonly held: HeldKey | 'DESTROYED';
  /** Unix ms. */
  readonly readAt: number;
  /** No longer used, whatever the clock says; kept until the key is read again, for its derived values. */
  isStale: boolean;
}

/** Cache of keys. An absent key is never cached: it may be created at any moment. */
function heldKeys(now: () => number, randomBytes: RandomBytes | undefined) {
  const entries = new Map<string, Entry>();

  const hold = (customerId: string, found: CustomerKey): HeldKey => {
    const before = entries.get(customerId)?.held;
    const isSame = typeof before === 'object' && before.key.equals(found.key);
    return holdKey(customerId, found, isSame ? before.derivedKeys : {}, randomBytes);
  };

  const load = async <Found extends FoundKey>(
    customerId: string,
    read: () => Promise<Found>,
  ): Promise<Held<Found>> => {
    // Taken before the read, so that a key destroyed during the read is not cached longer than promised.
    const readAt = now();
    const found: FoundKey = await read();
    const held = typeof found === 'object' ? hold(customerId, found) : found;
    if (held !== 'ABSENT') {
      entries.delete(customerId);
      entries.set(customerId, { held, readAt, isStale: false });
      if (entries.size > CACHE_SIZE) entries.delete(entries.keys().next().value as string);
    }
    return held as Held<Found>;
  };

  return {
    get: (customerId: string): HeldKey | 'DESTROYED' | undefined => {
      const entry = entries.get(customerId);
      if (entry === undefined || entry.isStale) return undefined;
      const age = now() - entry.readAt;
      // If the clock was set back, the age is negative and the true age unknown.
      if (age >= 0 && age < CACHE_MS) return entry.held;
      entry.isStale = true;
      return undefined;
    },
    load,
    forget: (customerId: string): void => {
      entries.delete(customerId);
    },
  };
}
