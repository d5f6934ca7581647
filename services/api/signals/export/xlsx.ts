import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { EXPORT_COLUMNS } from '#schemas/api/export.ts';
import { CELL_STYLES, DATE_WIDTH, sheetCell } from './sheet-cell.ts';
import type { Tally } from './tally.ts';

/**
 * A workbook of one sheet: the parts that readers of SpreadsheetML expect, and rows whose cells hold their texts
 * inline.
 */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${DOCUMENT}"><sheets><sheet name="signals" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${SHEET}">${CELL_STYLES}</styleSheet>`,
};

/** One fixed time for all parts, so that the same rows give the same bytes; the format's dates start in this year. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o644 };
/** A higher level would halve such repetitive text again, for twice the work. */
const SHEET_OPTIONS = { ...OPTIONS, compressionLevel: 3 };

/** Bytes compressed together: a fixed number, however the rows arrive, so that the output is the same. */
const PIECE_BYTES = 64 * 1024;

/** `rows`: lines of JSON arrays, one value per column. */
export async function* xlsxFile(rows: AsyncIterable<Buffer>, tally: Tally): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(PARTS))
    zip.addBuffer(Buffer.from(DECLARATION + text), name, OPTIONS);
  const sheet = Readable.from(pieces(sheetText(rows, tally)), { objectMode: false });
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', SHEET_OPTIONS);
  zip.end();
  const file = zip.outputStream as Readable;
  // The archive does not notice a failing source.
  for (const part of [sheet, zip]) part.on('error', (error: Error) => file.destroy(error));
  try {
    for await (const chunk of file) yield chunk as Buffer;
  } finally {
    sheet.destroy();
  }
}

/** `A` to `Z`: an export has fewer columns than letters. */
const COLUMNS = EXPORT_COLUMNS.map((name, index) => ({
  letter: String.fromCharCode(0x41 + index),
  isTime: name === 'createdAt',
}));
const WIDTHS = COLUMNS.flatMap(({ isTime }, index) =>
  isTime ? [`<col min="${index + 1}" max="${index + 1}" width="${DATE_WIDTH}" customWidth="1"/>`] : [],
).join('');

/** `number`: row number, from 1. */
function rowOf(cells: readonly unknown[], number: number): string {
  let row = `<row r="${number}">`;
  for (const [index, { letter, isTime }] of COLUMNS.entries())
    row += sheetCell(`${letter}${number}`, cells[index], isTime && number > 1);
  return `${row}</row>`;
}

async function* sheetText(rows: AsyncIterable<Buffer>, tally: Tally): AsyncGenerator<string> {
  yield `${DECLARATION}<worksheet xmlns="${SHEET}"><cols>${WIDTHS}</cols><sheetData>${rowOf(EXPORT_COLUMNS, 1)}`;
  let written = 1;
  for await (const cells of jsonRows(rows)) {
    tally.addRows(cells.length);
    const first = written + 1;
    written += cells.length;
    yield cells.map((row, index) => rowOf(row, first + index)).join('');
  }
  yield '</sheetData></worksheet>';
}

/** The values of the complete rows, chunk by chunk. */
async function* jsonRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown[][]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = data.lastIndexOf('\n') + 1;
    rest = data.subarray(end);
    if (end === 0) continue;
    yield parsed(data.toString('utf8', 0, end - 1));
  }
  if (rest.length > 0) throw new Error('the warehouse response ended in the middle of a row');
}

/** A line break always ends a row. The parser's own errors quote the text that they could not read. */
function parsed(lines: string): unknown[][] {
  try {
    return JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as unknown[][];
  } catch {
    throw new Error('the warehouse sent a row that is not JSON');
  }
}

async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const text of texts) {
    const bytes = Buffer.from(text, 'utf8');
    held.push(bytes);
    size += bytes.length;
    if (size < PIECE_BYTES) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; all.length - at >= PIECE_BYTES; at += PIECE_BYTES) yield all.subarray(at, at + PIECE_BYTES);
    held = [all.subarray(at)];
    size = all.length - at;
  }
  yield Buffer.concat(held);
}
