import { createCipheriv, createDecipheriv, randomBytes as systemRandomBytes } from 'node:crypto';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import { blanked, type Collection, customerCollection } from '#platform/state/collection.ts';
import type { Documents } from '#platform/state/port.ts';
import type { RandomBytes } from './envelope.ts';
import { KEY_BYTES } from './master-key.ts';
import { KeyDestroyed, MasterKeyMismatch } from './port.ts';

/** Collection of customers' keys, in each customer's own scope. */
export const KEKS = 'keks';
export const CUSTOMER_KEY_COLLECTIONS: readonly Collection[] = [
  customerCollection(KEKS, blanked('the id of the key, and that it is destroyed')),
];
/** A customer has one key; its document has a fixed id, so that concurrent creators conflict in one compare-and-set. */
const DOCUMENT_ID = 'current';

type KekDocument =
  | { readonly status: 'active'; readonly kekId: string; readonly wrapped: string }
  | { readonly status: 'destroyed'; readonly kekId: string };

export interface CustomerKey {
  readonly kekId: string;
  readonly key: Buffer;
}

export type FoundKey = CustomerKey | 'DESTROYED' | 'ABSENT';

interface CustomerKeys {
  find(customerId: string): Promise<FoundKey>;
  /** The customer's key, created on first use. Rejects with `KeyDestroyed`. */
  findOrCreate(customerId: string): Promise<CustomerKey>;
  destroy(customerId: string): Promise<void>;
}

/** Customers' keys as documents of the state, each wrapped by the master key (AES-256-GCM, bound to customer and id). */
export function customerKeys(
  documents: Documents,
  masterKey: Buffer,
  randomBytes: RandomBytes = systemRandomBytes,
): CustomerKeys {
  const refOf = (customerId: string) => ({ scope: customerId, collection: KEKS, id: DOCUMENT_ID });
  const find = async (customerId: string): Promise<FoundKey> => {
    const value = (await documents.get<KekDocument>(refOf(customerId)))?.value;
    if (value === undefined) return 'ABSENT';
    if (value.status === 'destroyed') return 'DESTROYED';
    return { kekId: value.kekId, key: unwrap(masterKey, customerId, value.kekId, value.wrapped) };
  };

  return {
    find,
    findOrCreate: async (customerId) => {
      let found = await find(customerId);
      if (found === 'ABSENT') {
        const kekId = randomBytes(8).toString('hex');
        const key = randomBytes(KEY_BYTES);
        const wrapped = wrap(masterKey, customerId, kekId, key, randomBytes(12));
        const value: KekDocument = { status: 'active', kekId, wrapped };
        await documents.write(customerId, [{ collection: KEKS, id: DOCUMENT_ID, expectedVersion: 0, value }]);
        // The first writer wins, so the stored key is read back; the one just created is not used.
        found = await find(customerId);
      }
      if (found === 'DESTROYED') throw new KeyDestroyed();
      if (found === 'ABSENT') throw new Error('the state lost a customer key right after it was written');
      return found;
    },
    destroy: (customerId) =>
      changeDocument<KekDocument>({ documents }, refOf(customerId), (stored) => {
        if (stored?.value.status === 'destroyed') return unchanged(undefined);
        // One write replaces the key with the mark. With two, a crash between them would leave neither.
        return { value: { status: 'destroyed', kekId: stored?.value.kekId ?? '' }, result: undefined };
      }),
  };
}

const bindTo = (customerId: string, kekId: string): Buffer =>
  Buffer.from(`cas/kek/v1|${customerId}|${kekId}`, 'utf8');

/** Base64 of iv (12), encrypted key (32) and tag (16). */
function wrap(masterKey: Buffer, customerId: string, kekId: string, key: Buffer, iv: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', masterKey, iv).setAAD(bindTo(customerId, kekId));
  return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function unwrap(masterKey: Buffer, customerId: string, kekId: string, wrapped: string): Buffer {
  const bytes = Buffer.from(wrapped, 'base64');
  if (bytes.length !== 12 + KEY_BYTES + 16) throw new MasterKeyMismatch();
  try {
    const decipher = createDecipheriv('aes-256-gcm', masterKey, bytes.subarray(0, 12))
      .setAAD(bindTo(customerId, kekId))
      .setAuthTag(bytes.subarray(12 + KEY_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(12, 12 + KEY_BYTES)), decipher.final()]);
  } catch {
    throw new MasterKeyMismatch();
  }
}
