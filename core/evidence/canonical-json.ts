/** A value has no canonical form: the message names the kind of fault, never the value. */
export class NotCanonical extends Error {
  constructor(reason: string) {
    super(`no canonical JSON: ${reason}`);
    this.name = 'NotCanonical';
  }
}

/** True when no surrogate of the text stands alone. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();

/**
 * Canonical JSON as RFC 8785 defines it: members ordered by the UTF-16 code units of their names, numbers and
 * strings as ECMAScript writes them, no white space. Takes null, booleans, finite numbers, well-formed strings,
 * arrays and plain objects; throws `NotCanonical` for everything else, because a value that is silently dropped or
 * replaced would be hashed differently from how it is served.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonical('a number is not finite');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw new NotCanonical(`a value is of type ${typeof value}`);
  }
}

/** Printable ASCII without quote and backslash: most text of the ledger, and written as it stands. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) throw new NotCanonical('a string holds a lone surrogate');
  return JSON.stringify(text);
}

function canonicalArray(values: readonly unknown[]): string {
  // Not `map`: it would pass over holes and leave them out.
  let text = '[';
  for (let i = 0; i < values.length; i += 1) text += (i === 0 ? '' : ',') + canonicalJson(values[i]);
  return `${text}]`;
}

function canonicalObject(value: object): string {
  // Plain means: directly below an Object.prototype, of whichever realm, or below nothing.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new NotCanonical('an object is not a plain one');
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = '{';
  let separator = '';
  // The default sort compares UTF-16 code units, which is the order that the RFC asks for.
  for (const name of Object.keys(members).sort()) {
    text += `${separator}${canonicalString(name)}:${canonicalJson(members[name])}`;
    separator = ',';
  }
  return `${text}}`;
}
