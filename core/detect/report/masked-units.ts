import { readEscapes } from '../read/escapes/read-escapes.ts';

/** One character of a value as sent, and the character that it stands for. An escape sequence is one unit. */
export interface Unit {
  readonly sent: string;
  readonly read: string;
}

const UNITS =
  /'\\''|\\{1,8}(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|U[0-9a-f]{8}|x[0-9a-f]{2}|.)|(?:%(?:25){0,2}[0-9a-f]{2}){1,4}|&(?:amp;){0,3}(?:#?[0-9a-z]{1,16};?)|./gisu;

/** A value without any of these has no escape sequences, as nearly all values. */
const MARK = /[\\%&]/;

/** Splits a value into units. A mask replaces a unit or keeps it whole. */
export function unitsOf(value: string): Unit[] {
  if (!MARK.test(value)) return Array.from(value, (character) => ({ sent: character, read: character }));
  return Array.from(value.matchAll(UNITS), ([sent]) => ({
    sent,
    read: sent.length < 3 && !sent.startsWith('\\') ? sent : (readEscapes(sent)?.text ?? sent),
  }));
}
