const EMPTY = '<c/>';

/** A value as a cell of SpreadsheetML: numbers and booleans keep their types, lists are joined, null is empty. */
export function sheetCell(value: unknown): string {
  if (value === null) return EMPTY;
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = Array.isArray(value) ? value.join(';') : String(value);
  if (text === '') return EMPTY;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(guarded(text))}</t></is></c>`;
}

/** A spreadsheet treats a text that begins like this as a formula, or drops the character and looks at what follows. */
const FORMULA_START = /^(?:[\t\r\n\0]|[" \u00a0\v\f]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

const guarded = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text);

/** What XML cannot contain, what is markup in it, and what would be read as the escape of such a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML cannot hold
const SPECIAL = /[&<>\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string =>
  text.replace(
    SPECIAL,
    (found) => MARKUP[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
