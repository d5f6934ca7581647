import { createCipheriv, createDecipheriv, randomBytes as systemRandomBytes } from 'node:crypto';
import type { Sealed } from '#schemas/events/events.ts';
import { KEY_BYTES } from './master-key.ts';
import { CannotOpen, type SealPurpose } from './port.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** AES key wrap (RFC 3394) with its standard initial value: it needs no nonce, so one customer key wraps any number of data keys. */
const WRAP = 'id-aes256-wrap';
const WRAP_IV = Buffer.alloc(8, 0xa6);

export type RandomBytes = (size: number) => Buffer;

/** The context that a sealed record is bound to. It excludes the topic, so retries and replays carry the same bytes. */
export const additionalData = (
  purpose: SealPurpose,
  customerId: string,
  recordId: string,
  kekId: string,
): Buffer => Buffer.from(`cas/${purpose}/v1|${customerId}|${recordId}|${kekId}`, 'utf8');

export interface DataKey {
  /** 32 bytes. */
  readonly key: Buffer;
  /** Wrapped with the customer's key, as stored with the sealed record. */
  readonly wrappedKey: Buffer;
}

export function newDataKey(customerKey: Buffer, randomBytes: RandomBytes = systemRandomBytes): DataKey {
  const key = randomBytes(KEY_BYTES);
  const wrap = createCipheriv(WRAP, customerKey, WRAP_IV);
  return { key, wrappedKey: Buffer.concat([wrap.update(key), wrap.final()]) };
}

/** Throws `CannotOpen` if the customer's key did not wrap it. */
export function unwrapDataKey(customerKey: Buffer, wrappedKey: Buffer): Buffer {
  try {
    const unwrap = createDecipheriv(WRAP, customerKey, WRAP_IV);
    return Buffer.concat([unwrap.update(wrappedKey), unwrap.final()]);
  } catch {
    throw changed();
  }
}

/** AES-256-GCM. One data key may seal 2^32 records, because nonces are random. */
export function sealRecord(
  { key, wrappedKey }: DataKey,
  kekId: string,
  aad: Buffer,
  plaintext: Buffer,
  randomBytes: RandomBytes = systemRandomBytes,
): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { kekId, wrappedKey, iv, ciphertext };
}

/** Throws `CannotOpen` if any bit of the record or its additional data differs from what was sealed. */
export function openRecord(dataKey: Buffer, aad: Buffer, { iv, ciphertext }: Sealed): Buffer {
  // Lengths are checked first: the cipher would otherwise accept a shortened tag.
  if (iv.length !== IV_BYTES || ciphertext.length < TAG_BYTES) {
    throw new CannotOpen('its parts have wrong lengths');
  }
  const bodyBytes = ciphertext.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', dataKey, iv)
      .setAAD(aad)
      .setAuthTag(ciphertext.subarray(bodyBytes));
    const plaintext = decipher.update(ciphertext.subarray(0, bodyBytes));
    // Checks the tag; a stream cipher has no bytes left to return.
    decipher.final();
    return plaintext;
  } catch {
    throw changed();
  }
}

const changed = (): CannotOpen => new CannotOpen('it was changed or belongs elsewhere');
