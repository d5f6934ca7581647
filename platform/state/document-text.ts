import { crc32 } from 'node:zlib';
import { DamagedDocument } from './damaged-document.ts';

/**
 * The stored text of a document: a checksum of its name and its JSON in eight hexadecimal digits, then the JSON. It
 * reveals a flipped bit, a truncated value, and the value of another document. It is not proof against tampering:
 * anyone who can write to the store can compute it.
 */
const DIGITS = 8;

const checksum = (name: string, json: string): string =>
  crc32(json, crc32(name)).toString(16).padStart(DIGITS, '0');

export const textOf = (name: string, json: string): string => checksum(name, json) + json;

/** Earlier releases stored only the JSON. No checksum starts like this, and a shorter text has none. */
const isPlain = (text: string): boolean => text.length <= DIGITS || '{["'.includes(text.charAt(0));

/** The JSON of a stored text. Throws `DamagedDocument`, whose message uses the name from `shown`. */
export function jsonIn(name: string, text: string, shown = (): string => name): string {
  const json = text.slice(DIGITS);
  if (checksum(name, json) === text.slice(0, DIGITS)) return json;
  if (isPlain(text) && isJson(text)) return text;
  throw new DamagedDocument(shown());
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
