import { createCipheriv, createDecipheriv, randomBytes as systemRandomBytes } from 'node:crypto';
import type { Sealed } from '../../schemas/events/events.ts';
import { KEY_BYTES } from './master-key.ts';
import { CannotOpen, type SealPurpose } from './port.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** AES key wrap (RFC 3394) with its standard initial value: it needs no nonce, so one customer key wraps any number of data keys. */
const WRAP = 'id-aes256-wrap';
const WRAP_IV = Buffer.alloc(8, 0xa6);

export type RandomBytes = (size: number) => Buffer;

/** What a sealed record is bound to. The topic is no part of it, so retries and replays carry the same bytes. */
export const additionalData = (
  purpose: SealPurpose,
  customerId: string,
  recordId: string,
  kekId: string,
): Buffer => Buffer.from(`cas/${purpose}/v1|${customerId}|${recordId}|${kekId}`, 'utf8');

/** AES-256-GCM under a fresh data key, which the customer's key wraps. */
export function sealRecord(
  customerKey: Buffer,
  kekId: string,
  aad: Buffer,
  plaintext: Buffer,
  randomBytes: RandomBytes = systemRandomBytes,
): Sealed {
  const random = randomBytes(KEY_BYTES + IV_BYTES);
  const dataKey = random.subarray(0, KEY_BYTES);
  const iv = random.subarray(KEY_BYTES);
  const cipher = createCipheriv('aes-256-gcm', dataKey, iv).setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  const wrap = createCipheriv(WRAP, customerKey, WRAP_IV);
  return { kekId, wrappedKey: Buffer.concat([wrap.update(dataKey), wrap.final()]), iv, ciphertext };
}

/** Throws `CannotOpen` when a bit of the record or its additional data differs from what was sealed. */
export function openRecord(customerKey: Buffer, aad: Buffer, sealed: Sealed): Buffer {
  // Lengths are checked first: a shortened tag would otherwise be accepted by the cipher.
  if (sealed.iv.length !== IV_BYTES || sealed.ciphertext.length < TAG_BYTES) {
    throw new CannotOpen('its parts have wrong lengths');
  }
  const bodyBytes = sealed.ciphertext.length - TAG_BYTES;
  try {
    const unwrap = createDecipheriv(WRAP, customerKey, WRAP_IV);
    const dataKey = Buffer.concat([unwrap.update(sealed.wrappedKey), unwrap.final()]);
    const decipher = createDecipheriv('aes-256-gcm', dataKey, sealed.iv)
      .setAAD(aad)
      .setAuthTag(sealed.ciphertext.subarray(bodyBytes));
    return Buffer.concat([decipher.update(sealed.ciphertext.subarray(0, bodyBytes)), decipher.final()]);
  } catch {
    throw new CannotOpen('it was changed or belongs elsewhere');
  }
}
