import type { Placeholder } from '../client/sql-text.ts';
import { EngineError } from './error.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '0': '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
};

/**
 * Converts `param_*` values, which HTTP carries in ClickHouse's escaped text form, into values for chdb to bind. chdb
 * escapes strings again, so the escapes are undone first; the quotes around an array's elements must survive that, so
 * they are doubled.
 *
 * Only the statement's own placeholders are bound, and each must have a value: the engine binds a missing one to null
 * or empty text, where ClickHouse's server refuses it.
 */
export function bindParams(
  wanted: readonly Placeholder[],
  given: ReadonlyMap<string, string>,
): Record<string, string | null> {
  const bound: Record<string, string | null> = {};
  for (const { name, type } of wanted) {
    const text = given.get(name);
    if (text === undefined) {
      throw new EngineError(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`);
    }
    const isComposite = /^(Array|Tuple|Map|Nested)\b/i.test(type);
    bound[name] = text === '\\N' ? null : unescapeText(text, isComposite ? "''" : "'");
  }
  return bound;
}

function unescapeText(text: string, quoteMark: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|([\s\S]))/g,
    (_all, hex: string | undefined, letter: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return letter === "'" ? quoteMark : (ESCAPES[letter] ?? letter);
    },
  );
}
