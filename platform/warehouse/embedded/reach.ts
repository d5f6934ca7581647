import { EngineError } from './error.ts';

/**
 * Words that give access outside the engine's folder, or inside it but outside its tables, and that no grant controls.
 * The function `file` is refused anywhere, because functions can also be passed to others by bare name.
 */
const REFUSED_WORDS = new Set([
  'file',
  'infile',
  'outfile',
  'executable',
  'executablepool',
  'catboostevaluate',
  'attach',
  'detach',
  'backup',
  'restore',
  'freeze',
  'unfreeze',
]);
/** Grants do not cover database engines, some of which open connections. */
const DATABASE_WITH_ENGINE = /^\s*CREATE(?:\s+OR\s+REPLACE)?\s+DATABASE\b[\s\S]*\bENGINE\b/i;
/**
 * `#` starts a comment, `$` a string, and the engine accepts typographic quotes; `maskLiterals` handles none of them.
 */
const UNMASKED = /[#$\0]|[^\0-\x7f]/;
const WORD_OR_QUOTED_NAME = /[A-Za-z_]\w*|"[^"]*"?|`[^`]*`?/g;

/**
 * Throws code 497 for a statement that accesses anything but the engine's tables in a way that grants (`rights.xml`) do
 * not cover. `masked` is the statement after `maskLiterals`.
 */
export function refuseReach(sql: string, masked: string): void {
  if (UNMASKED.test(masked)) throw refused('a character that must be quoted');
  if (DATABASE_WITH_ENGINE.test(masked)) throw refused('a database with its own engine');
  for (const { 0: token, index } of masked.matchAll(WORD_OR_QUOTED_NAME)) {
    const isQuoted = token[0] === '"' || token[0] === '`';
    const name = isQuoted ? sql.slice(index + 1, index + token.length - 1) : token;
    if (isQuoted && name.includes('\\')) throw refused('a name with a backslash');
    if (REFUSED_WORDS.has(name.toLowerCase())) throw refused(`the word ${name.toLowerCase()}`);
  }
}

function refused(what: string): EngineError {
  return new EngineError(
    497,
    'ACCESS_DENIED',
    `The embedded warehouse rejects statements with ${what}: it only serves its own tables`,
  );
}
