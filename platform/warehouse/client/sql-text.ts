/** Lexical analysis of SQL, enough to find statement ends and placeholders outside quotes and comments. */

const QUOTED_OR_COMMENT =
  /'(?:[^'\\]|\\[\s\S]|'')*'?|"(?:[^"\\]|\\[\s\S])*"?|`(?:[^`\\]|\\[\s\S])*`?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/**
 * The same text, of the same length, with comments and the inside of quotes replaced by spaces; line ends stay.
 * Positions found in it are positions in the SQL.
 */
export function maskLiterals(sql: string): string {
  return sql.replace(QUOTED_OR_COMMENT, (token) => {
    const blank = token.replace(/[^\n]/g, ' ');
    const quote = token[0] as string;
    return quote === '-' || quote === '/'
      ? blank
      : `${quote}${blank.slice(2)}${quote}`.slice(0, token.length);
  });
}

/** First word of the statement in upper case; `(` for a parenthesised SELECT; empty for no statement. */
export function firstKeyword(masked: string): string {
  return /^\s*(\(|[A-Za-z]+)/.exec(masked)?.[1]?.toUpperCase() ?? '';
}

/** True when another statement follows the first. */
export function hasSeveralStatements(masked: string): boolean {
  return /;\s*[^\s;]/.test(masked);
}

/** Splits a script at each `;` that ends a line. Statements come without it; comments alone are not a statement. */
export function splitStatements(script: string): string[] {
  const masked = maskLiterals(script);
  const statements: string[] = [];
  let start = 0;
  const take = (end: number): void => {
    if (masked.slice(start, end).trim() !== '') statements.push(script.slice(start, end).trim());
  };
  for (const match of masked.matchAll(/;[ \t]*(?:\r?\n|$)/g)) {
    take(match.index);
    start = match.index + match[0].length;
  }
  take(script.length);
  return statements;
}

export interface Placeholder {
  readonly name: string;
  readonly type: string;
}

/** The `{name:Type}` placeholders of a statement, in order of appearance. */
export function placeholders(sql: string, masked: string): Placeholder[] {
  return [...masked.matchAll(/\{\s*([A-Za-z_]\w*)\s*:[^{}]*\}/g)].map((match) => ({
    name: match[1] as string,
    type: sql
      .slice(match.index, match.index + match[0].length - 1)
      .replace(/^[^:]*:/, '')
      .trim(),
  }));
}

/** Format that the statement itself asks for, or null. */
export function outputFormat(masked: string): string | null {
  return /\bFORMAT\s+(\w+)\s*(?:SETTINGS\b[^;]*)?;?\s*$/i.exec(masked)?.[1] ?? null;
}

export interface InsertHeader {
  readonly table: string;
  readonly columns: readonly string[] | null;
  readonly format: string;
}

/** Reads `INSERT INTO table (columns) FORMAT name`, the form whose rows follow as data; null for any other form. */
export function insertHeader(sql: string): InsertHeader | null {
  const match =
    /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.`]+)\s*(?:\(([^()]*)\))?\s*FORMAT\s+(\w+)\s*;?\s*$/i.exec(sql);
  if (!match) return null;
  const unquote = (name: string): string => name.trim().replaceAll('`', '');
  const columns = match[2];
  return {
    table: unquote(match[1] as string),
    columns: columns === undefined ? null : columns.split(',').map(unquote),
    format: match[3] as string,
  };
}
