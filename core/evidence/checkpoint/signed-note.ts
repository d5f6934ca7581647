import { isSigned } from '../native-crypto.ts';
import { isNoteName, type NoteKey, noteKeyId } from './verifier-key.ts';

/** C2SP signed notes: a text, an empty line, and signature lines, each with the name and id of its key. */
const SIGNATURE_BEGIN = '\u2014 ';
const ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** Notes are external input: longer ones, or ones with more signatures, are rejected. */
const MAX_NOTE_LENGTH = 64 * 1024;
const MAX_SIGNATURES = 32;

/** Signs notes. `sign`: Ed25519 signature of a message, 64 bytes. */
export interface NoteSigner extends NoteKey {
  sign(message: Buffer): Buffer;
}

interface Signature {
  readonly name: string;
  readonly id: Buffer;
  readonly signature: Buffer;
}

interface ParsedNote {
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** Whether the text has no control characters except line ends. */
function isNoteText(text: string): boolean {
  if (!text.endsWith('\n')) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return text.isWellFormed();
}

/** `text` must end with a line end and contain no other control characters; throws `RangeError` otherwise. */
export function signNote(text: string, signer: NoteSigner): string {
  if (!isNoteText(text))
    throw new RangeError('the text of a note must end with a newline and contain no control characters');
  if (!isNoteName(signer.name))
    throw new RangeError('the key name of a note must not contain spaces or plus signs');
  const signature = Buffer.concat([noteKeyId(signer), signer.sign(Buffer.from(text))]);
  return `${text}\n${SIGNATURE_BEGIN}${signer.name} ${signature.toString('base64')}\n`;
}

function parseSignature(line: string): Signature | null {
  if (!line.startsWith(SIGNATURE_BEGIN)) return null;
  const [name = '', encoded = '', ...rest] = line.slice(SIGNATURE_BEGIN.length).split(' ');
  const bytes = Buffer.from(encoded, 'base64');
  if (rest.length > 0 || !isNoteName(name) || bytes.toString('base64') !== encoded) return null;
  if (bytes.length <= ID_BYTES) return null;
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
}

/** Splits a note into text and signatures without checking them; null: not a note. */
export function parseNote(note: string): ParsedNote | null {
  if (note.length > MAX_NOTE_LENGTH || !note.endsWith('\n')) return null;
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES || !isNoteText(text)) return null;
  const signatures = lines.map(parseSignature);
  return signatures.some((one) => one === null) ? null : { text, signatures: signatures as Signature[] };
}

function isSignedBy(text: string, { signature }: Signature, { publicKey }: NoteKey): boolean {
  return (
    signature.length === SIGNATURE_BYTES && isSigned({ message: Buffer.from(text), signature, publicKey })
  );
}

/**
 * The note's text if at least one of the keys signed it, with the keys that did. Ignores signatures of unknown keys; an
 * invalid signature of a known key invalidates the note: null.
 */
export function openNote(
  note: string,
  keys: readonly NoteKey[],
): { readonly text: string; readonly signedBy: readonly NoteKey[] } | null {
  const parsed = parseNote(note);
  if (parsed === null) return null;
  const signedBy: NoteKey[] = [];
  for (const signature of parsed.signatures) {
    const key = keys.find((one) => one.name === signature.name && noteKeyId(one).equals(signature.id));
    if (key === undefined || signedBy.includes(key)) continue;
    if (!isSignedBy(parsed.text, signature, key)) return null;
    signedBy.push(key);
  }
  return signedBy.length === 0 ? null : { text: parsed.text, signedBy };
}
