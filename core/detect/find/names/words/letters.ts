/** Character classes for the tokeniser. Characters beyond the table are classified by range. */
export const SYMBOL = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const SPACE = 3;
export const NEWLINE = 4;

/** Latin with its extensions, Greek, Cyrillic, Hebrew, Arabic and Indian scripts, and Vietnamese. */
const TABLE_SIZE = 0x2000;

const CLASSES = new Uint8Array(TABLE_SIZE);
/** Lower case without accents, so that "José", "JOSE" and "jose" are equal; 0 for a combining accent. */
const FOLDED = new Uint16Array(TABLE_SIZE);
const UPPER = new Uint8Array(TABLE_SIZE);

const ACCENTS = /[\u0300-\u036f]/g;

for (let unit = 0; unit < TABLE_SIZE; unit++) {
  const character = String.fromCharCode(unit);
  const lower = character.toLowerCase();
  CLASSES[unit] = classOfCharacter(character);
  UPPER[unit] = lower === character ? 0 : 1;
  FOLDED[unit] = lower.normalize('NFD').replace(ACCENTS, '').charCodeAt(0) || 0;
}

function classOfCharacter(character: string): number {
  if (character === '\n' || character === '\r') return NEWLINE;
  if (/\s/.test(character)) return SPACE;
  if (/[0-9]/.test(character)) return DIGIT;
  return /[\p{L}\p{M}]/u.test(character) ? LETTER : SYMBOL;
}

function classPastTable(unit: number): number {
  if (unit === 0x3000 || (unit >= 0x2000 && unit <= 0x200b) || unit === 0x202f) return SPACE;
  const isLetter =
    (unit >= 0x2c00 && unit <= 0x2dff) ||
    unit === 0x3005 ||
    (unit >= 0x3041 && unit <= 0xd7ff) ||
    (unit >= 0xf900 && unit <= 0xfdff) ||
    (unit >= 0xff21 && unit <= 0xffdc);
  return isLetter ? LETTER : SYMBOL;
}

/** SYMBOL for NaN, which is outside a text. */
export function classOf(unit: number): number {
  return unit < TABLE_SIZE ? CLASSES[unit]! : classPastTable(unit);
}

export function foldedUnit(unit: number): number {
  return unit < TABLE_SIZE ? FOLDED[unit]! : unit;
}

export function isUpper(unit: number): boolean {
  return unit < TABLE_SIZE && UPPER[unit] === 1;
}

/** Whether the letter belongs to a script without capitals, such as Chinese or Arabic. */
export function isCaseless(unit: number): boolean {
  return unit >= 0x590 && (unit < 0x1e00 || unit >= 0x2c00);
}

export function isApostrophe(unit: number): boolean {
  return unit === 39 || unit === 0x2018 || unit === 0x2019;
}

export const HASH_START = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** A code unit's contribution to its word's hash. Digits count as 0, so numbers of equal length are equal. */
const hashedUnit = (unit: number): number =>
  unit >= 48 && unit <= 57 ? 48 : isApostrophe(unit) ? 39 : foldedUnit(unit);
const HASHED = Uint16Array.from({ length: TABLE_SIZE }, (_, unit) => hashedUnit(unit));

/** One step of FNV-1a over folded code units. */
export function nextHash(hash: number, unit: number): number {
  const folded = unit < TABLE_SIZE ? HASHED[unit]! : hashedUnit(unit);
  return folded === 0 ? hash : Math.imul(hash ^ folded, HASH_PRIME);
}

/**
 * Kinds of ASCII characters for the word scan, combined with their hash contribution, so one look-up per character
 * suffices.
 */
export const [LOWER_LETTER, UPPER_LETTER, OTHER_SIGN] = [0, 1, 2];
const ASCII_DIGIT = 3;
export const ASCII = 128;
export const KIND_BITS = 2;
export const SCANNED = Uint16Array.from({ length: ASCII }, (_, unit) => {
  const letter = UPPER[unit] === 1 ? UPPER_LETTER : LOWER_LETTER;
  const kind = CLASSES[unit] === LETTER ? letter : CLASSES[unit] === DIGIT ? ASCII_DIGIT : OTHER_SIGN;
  return (HASHED[unit]! << KIND_BITS) | kind;
});

/** One step of FNV-1a over a non-zero hashed unit. */
export const mixHash = (hash: number, hashed: number): number => Math.imul(hash ^ hashed, HASH_PRIME);

/** Mixes the result into all bits. */
export function finishHash(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}

/** The hash of a word, ignoring case and accents. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = nextHash(hash, text.charCodeAt(at));
  return finishHash(hash);
}

export const hashOfWord = (word: string): number => hashOf(word, 0, word.length);
