import { hkdfSync } from 'node:crypto';
import type { State } from '../state/port.ts';
import { type CustomerKey, customerKeys, type FoundKey } from './customer-keys.ts';
import { additionalData, openRecord, type RandomBytes, sealRecord } from './envelope.ts';
import { KEY_BYTES } from './master-key.ts';
import { CannotOpen, KeyAbsent, KeyDestroyed, type Keyring } from './port.ts';

/** Age, in ms, at which a customer's key is read again: how long a destroyed key may still work elsewhere. */
export const CACHE_MS = 5_000;
/** Customers whose keys are kept in memory. */
const CACHE_SIZE = 10_000;

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
  const keys = customerKeys(options.state.documents, options.masterKey, options.randomBytes);
  const cache = foundKeys(options.now ?? Date.now);

  const findOrCreate = (customerId: string): Promise<CustomerKey> | CustomerKey => {
    const cached = cache.get(customerId);
    if (cached === 'DESTROYED') throw new KeyDestroyed();
    return cached ?? cache.load(customerId, () => keys.findOrCreate(customerId));
  };
  const find = (customerId: string): Promise<FoundKey> | FoundKey =>
    cache.get(customerId) ?? cache.load(customerId, () => keys.find(customerId));

  return {
    seal: async (customerId, purpose, recordId, plaintext) => {
      const { key, kekId } = await findOrCreate(customerId);
      const aad = additionalData(purpose, customerId, recordId, kekId);
      return sealRecord(key, kekId, aad, plaintext, options.randomBytes);
    },
    open: async (customerId, purpose, recordId, sealed) => {
      const found = await find(customerId);
      if (found === 'ABSENT') throw new KeyAbsent();
      if (found === 'DESTROYED') throw new KeyDestroyed();
      if (found.kekId !== sealed.kekId) throw new CannotOpen('it names another key than the customer has');
      return openRecord(found.key, additionalData(purpose, customerId, recordId, found.kekId), sealed);
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

/** Keys found lately. An absent key is never kept: it is made at any moment. */
function foundKeys(now: () => number) {
  const entries = new Map<string, { found: CustomerKey | 'DESTROYED'; readAt: number }>();

  const load = async <Found extends FoundKey>(
    customerId: string,
    read: () => Promise<Found>,
  ): Promise<Found> => {
    // Taken before the read: a key destroyed while it is under way is then not kept for longer than promised.
    const readAt = now();
    const found = await read();
    if (found !== 'ABSENT') {
      entries.delete(customerId);
      entries.set(customerId, { found, readAt });
      if (entries.size > CACHE_SIZE) entries.delete(entries.keys().next().value as string);
    }
    return found;
  };

  return {
    get: (customerId: string): CustomerKey | 'DESTROYED' | undefined => {
      const entry = entries.get(customerId);
      if (entry === undefined) return undefined;
      const age = now() - entry.readAt;
      // A clock that was set back makes the age negative: then nothing is known about it.
      if (age >= 0 && age < CACHE_MS) return entry.found;
      entries.delete(customerId);
      return undefined;
    },
    load,
    forget: (customerId: string): void => {
      entries.delete(customerId);
    },
  };
}
