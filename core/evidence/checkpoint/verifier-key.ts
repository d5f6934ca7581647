import { sha256 } from '../native-crypto.ts';

/** Type byte of Ed25519 in the verifier keys of C2SP signed notes. */
const ED25519 = 0x01;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const MAX_LENGTH = 500;
/** C2SP signed-note: a name is not empty and contains neither spaces nor a plus sign. */
const NAME = /^[^\s+]{1,255}$/u;

/** A signer of notes: the name in the signature line, and the raw Ed25519 public key (32 bytes). */
export interface NoteKey {
  readonly name: string;
  readonly publicKey: Buffer;
}

export const isNoteName = (name: string): boolean => NAME.test(name);

/** The four bytes that identify the key in a signature: part of a hash over name and key. */
export function noteKeyId({ name, publicKey }: NoteKey): Buffer {
  const typed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]);
  return sha256(typed).subarray(0, ID_BYTES);
}

/** The key as text, `<name>+<id, hex>+<base64 of type and key>`, for configuring a verifier. */
export function verifierKey(key: NoteKey): string {
  const typed = Buffer.concat([Buffer.of(ED25519), key.publicKey]);
  return `${key.name}+${noteKeyId(key).toString('hex')}+${typed.toString('base64')}`;
}

/** Parses such a text; null: malformed, or the id does not match the key. */
export function parseVerifierKey(text: string): NoteKey | null {
  if (text.length > MAX_LENGTH) return null;
  // The base64 may contain plus signs; name and id cannot.
  const [name = '', id = '', ...rest] = text.split('+');
  const encoded = rest.join('+');
  const typed = Buffer.from(encoded, 'base64');
  if (!isNoteName(name) || typed.toString('base64') !== encoded) return null;
  if (typed.length !== 1 + KEY_BYTES || typed[0] !== ED25519) return null;
  const key = { name, publicKey: typed.subarray(1) };
  return noteKeyId(key).toString('hex') === id ? key : null;
}
