import { hkdfSync } from 'node:crypto';
import type { State } from '../state/port.ts';
import { type CustomerKey, customerKeys, type FoundKey } from './customer-keys.ts';
import {
  additionalData,
  type DataKey,
  newDataKey,
  openRecord,
  type RandomBytes,
  sealRecord,
  unwrapDataKey,
} from './envelope.ts';
import { KEY_BYTES } from './master-key.ts';
import { CannotOpen, KeyAbsent, KeyDestroyed, type Keyring } from './port.ts';

/** Age, in ms, at which a customer's key is read again: how long a destroyed key may still work elsewhere. */
export const CACHE_MS = 5_000;
/** Customers whose keys are kept in memory. */
const CACHE_SIZE = 10_000;
/** Data keys of one customer that are kept unwrapped. */
const OPEN_DATA_KEYS = 16;

export interface KeyringOptions {
  readonly state: Pick<State, 'documents'>;
  /** 32 bytes (`loadMasterKey`). */
  readonly masterKey: Buffer;
  readonly now?: () => number;
  readonly randomBytes?: RandomBytes;
}

/** Seals and opens with customers' keys, which are kept in memory for at most `CACHE_MS`. */
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
    seal: async (customerId, purpose, recordId, plaintext) => {
      const { kekId, dataKey } = await findOrCreate(customerId);
      const aad = additionalData(purpose, customerId, recordId, kekId);
      return sealRecord(dataKey(), kekId, aad, plaintext, randomBytes);
    },
    open: async (customerId, purpose, recordId, sealed) => {
      const found = await find(customerId);
      if (found === 'ABSENT') throw new KeyAbsent();
      if (found === 'DESTROYED') throw new KeyDestroyed();
      if (found.kekId !== sealed.kekId) throw new CannotOpen('it names another key than the customer has');
      const aad = additionalData(purpose, customerId, recordId, found.kekId);
      return openRecord(found.unwrap(sealed.wrappedKey), aad, sealed);
    },
    destroy: async (customerId) => {
      await keys.destroy(customerId);
      cache.forget(customerId);
    },
    hashKey: async (customerId) => {
      const { key } = await findOrCreate(customerId);
      return Buffer.from(hkdfSync('sha256', key, '', `cas/hashed-redaction/v1|${customerId}`, KEY_BYTES));
    },
  };
}

/** A customer's key with the data keys that were used lately. They go when it goes. */
interface HeldKey extends CustomerKey {
  /** What this process seals the customer's records with while it holds the key. */
  dataKey(): DataKey;
  /** Throws `CannotOpen`. */
  unwrap(wrappedKey: Buffer): Buffer;
}

/** As it is held for `found`. */
type Held<Found extends FoundKey = FoundKey> = Found extends CustomerKey ? HeldKey : Found;

function holdKey(found: CustomerKey, randomBytes: RandomBytes | undefined): HeldKey {
  let own: DataKey | undefined;
  const unwrapped = new Map<string, Buffer>();
  return {
    ...found,
    dataKey: () => {
      own ??= newDataKey(found.key, randomBytes);
      return own;
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

/** Keys found lately. An absent key is never kept: it is made at any moment. */
function heldKeys(now: () => number, randomBytes: RandomBytes | undefined) {
  const entries = new Map<string, { held: HeldKey | 'DESTROYED'; readAt: number }>();

  const load = async <Found extends FoundKey>(
    customerId: string,
    read: () => Promise<Found>,
  ): Promise<Held<Found>> => {
    // Taken before the read: a key destroyed while it is under way is then not kept for longer than promised.
    const readAt = now();
    const found: FoundKey = await read();
    const held = typeof found === 'object' ? holdKey(found, randomBytes) : found;
    if (held !== 'ABSENT') {
      entries.delete(customerId);
      entries.set(customerId, { held, readAt });
      if (entries.size > CACHE_SIZE) entries.delete(entries.keys().next().value as string);
    }
    return held as Held<Found>;
  };

  return {
    get: (customerId: string): HeldKey | 'DESTROYED' | undefined => {
      const entry = entries.get(customerId);
      if (entry === undefined) return undefined;
      const age = now() - entry.readAt;
      // A clock that was set back makes the age negative: then nothing is known about it.
      if (age >= 0 && age < CACHE_MS) return entry.held;
      entries.delete(customerId);
      return undefined;
    },
    load,
    forget: (customerId: string): void => {
      entries.delete(customerId);
    },
  };
}
