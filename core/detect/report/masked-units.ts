import { readEscapes } from '../read/escapes/read-escapes.ts';

/** A character of a value as it was sent, and what it stands for: an escape sequence is one. */
export interface Unit {
  readonly sent: string;
  readonly read: string;
}

const UNITS =
  /'\\''|\\{1,8}(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|U[0-9a-f]{8}|x[0-9a-f]{2}|.)|(?:%(?:25){0,2}[0-9a-f]{2}){1,4}|&(?:amp;){0,3}(?:#?[0-9a-z]{1,16};?)|./gisu;

/** Without one of these no character is escaped, as in nearly all values. */
const MARK = /[\\%&]/;

/** The characters of a value. A mask replaces each of them, or keeps it whole. */
export function unitsOf(value: string): Unit[] {
  if (!MARK.test(value)) return Array.from(value, (character) => ({ sent: character, read: character }));
  return Array.from(value.matchAll(UNITS), ([sent]) => ({
    sent,
    read: sent.length < 3 && !sent.startsWith('\\') ? sent : (readEscapes(sent)?.text ?? sent),
  }));
}
