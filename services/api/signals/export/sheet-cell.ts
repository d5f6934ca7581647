/** Indexes of the workbook's styles. */
const [DATE_STYLE, TEXT_STYLE] = [1, 2];
const DATE_FORMAT = 'yyyy-mm-dd hh:mm:ss.000';
/** Width of such a date, in characters: in a narrower cell a spreadsheet shows hashes. */
export const DATE_WIDTH = 24;

/** General, dates, and texts that stay texts when edited. */
export const CELL_STYLES = [
  `<numFmts count="1"><numFmt numFmtId="164" formatCode="${DATE_FORMAT}"/></numFmts>`,
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
].join('');

const DAY_MS = 86_400_000;
/** Days from the start of the spreadsheet calendar to 1970. That calendar contains a 29 February 1900, long before. */
const DAYS_TO_1970 = 25_569;

/**
 * A value as a cell of SpreadsheetML: numbers, booleans and times (`isTime`, ISO 8601) are typed, lists are joined,
 * null has no cell. A text is always a text, whatever it starts with, so it needs no guard against formulas.
 */
export function sheetCell(reference: string, value: unknown, isTime: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (isTime)
    return `<c r="${reference}" s="${DATE_STYLE}"><v>${Date.parse(String(value)) / DAY_MS + DAYS_TO_1970}</v></c>`;
  const text = Array.isArray(value) ? value.join(';') : String(value);
  if (text === '') return '';
  const style = FORMULA_START.test(text) ? ` s="${TEXT_STYLE}"` : '';
  return `<c r="${reference}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** A spreadsheet takes a text that starts like this for a formula if it is typed in again. */
const FORMULA_START = /^(?:[\t\r\n\0]|[" \u00a0\v\f]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** Characters that XML cannot contain, its markup, and texts that would be read as the escape of such a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML cannot hold
const SPECIAL = /[&<>\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string =>
  text.replace(
    SPECIAL,
    (found) => MARKUP[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
