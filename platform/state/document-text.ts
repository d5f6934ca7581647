import { crc32 } from 'node:zlib';
import { DamagedDocument } from './damaged-document.ts';

/**
 * The text of a document as it is stored: the checksum of its name and its JSON in eight hexadecimal digits, then the
 * JSON. It shows a flipped bit, a cut value, and the value of another document. It is no proof: whoever can write to the
 * store can compute it.
 */
const DIGITS = 8;

const checksum = (name: string, json: string): string =>
  crc32(json, crc32(name)).toString(16).padStart(DIGITS, '0');

export const textOf = (name: string, json: string): string => checksum(name, json) + json;

/** Earlier releases stored the JSON alone. No checksum begins like this, and what is shorter has none. */
const isPlain = (text: string): boolean => text.length <= DIGITS || '{["'.includes(text.charAt(0));

/** The JSON of a stored text. Throws `DamagedDocument`; `shown` makes the name that its message uses. */
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
