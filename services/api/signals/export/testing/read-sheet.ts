import { inflateRawSync } from 'node:zlib';

/** Distinguishable values of a cell: texts, numbers, booleans, times, and nothing. */
export type SheetValue = string | number | boolean | Date | null;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/** The files of a zip archive, found through its central directory, as a reader does. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('the archive has no end');
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the directory is broken');
    const isDeflated = archive.readUInt16LE(at + 10) === 8;
    const [packedSize, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    );
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameSize!);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(begin, begin + packedSize);
    const content = isDeflated ? inflateRawSync(packed) : packed;
    if (content.length !== size) throw new Error(`${name} has another size`);
    files.set(name, content.toString('utf8'));
    at += 46 + nameSize! + extraSize! + commentSize!;
  }
  return files;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const textOf = (xml: string): string =>
  xml
    .replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Whether each cell style is a date's: its number format has a year. */
function dateStyles(styles: string): boolean[] {
  const formats = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]+)"\/>/g)].map(([, id, code]) => [
      id,
      code!,
    ]),
  );
  const cells = /<cellXfs count="(\d+)">(.*?)<\/cellXfs>/s.exec(styles)!;
  const found = [...cells[2]!.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) =>
    /y/.test(formats.get(id) ?? ''),
  );
  if (found.length !== Number(cells[1])) throw new Error('the styles are miscounted');
  return found;
}

/** Day 60 of the spreadsheet calendar is 29 February 1900, which did not exist, so later days are one too many. */
const dateOf = (days: number): Date =>
  new Date(Math.round((days - (days > 60 ? 1 : 0)) * 86_400_000) + Date.UTC(1899, 11, 31));

function sheetValue(type: string | undefined, isDate: boolean, content: string): SheetValue {
  const number = /^<v>([^<]+)<\/v>$/.exec(content);
  if (number && type === undefined) return isDate ? dateOf(Number(number[1])) : Number(number[1]);
  if (number && type === 'b') return number[1] === '1';
  const text = /^<is><t xml:space="preserve">([^<]*)<\/t><\/is>$/.exec(content);
  if (text && type === 'inlineStr' && !isDate) return textOf(text[1]!);
  throw new Error(`not the content of a cell of type ${type}: ${content}`);
}

const ROW = /<row r="(\d+)">(.*?)<\/row>/gs;
const CELL = /<c r="([A-Z])(\d+)"(?: s="(\d+)")?(?: t="(\w+)")?>(.*?)<\/c>/gs;

/** Rows of a workbook's first sheet. Each cell is at its reference's position; a column without a cell is null. */
export function readSheet(workbook: Buffer): SheetValue[][] {
  const files = unzip(workbook);
  const xml = files.get('xl/worksheets/sheet1.xml') ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may stand in XML
  if (/[\x00-\x08\x0b-\x1f]/.test(xml)) throw new Error('the sheet is not XML');
  const areDates = dateStyles(files.get('xl/styles.xml') ?? '');
  const rows = [...xml.matchAll(ROW)].map(([, number, cells], at) => {
    if (Number(number) !== at + 1) throw new Error(`row ${number} comes ${at + 1}.`);
    const row: SheetValue[] = [];
    for (const [, letter, inRow, style, type, content] of cells!.matchAll(CELL)) {
      if (inRow !== number) throw new Error(`${letter}${inRow} is in row ${number}`);
      row[letter!.charCodeAt(0) - 0x41] = sheetValue(type, areDates[Number(style ?? 0)]!, content!);
    }
    return row;
  });
  const width = rows[0]?.length ?? 0;
  return rows.map((row) => Array.from({ length: width }, (_, offset) => row[offset] ?? null));
}
