import { type NoteKey, parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';

/** The keys in a text, one per line; null when a line is not a key, or there is none. */
export function keysIn(text: string): NoteKey[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const keys = lines.map(parseVerifierKey).filter((key) => key !== null);
  return keys.length === 0 || keys.length < lines.length ? null : keys;
}
