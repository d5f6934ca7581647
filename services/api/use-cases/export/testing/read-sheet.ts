import { inflateRawSync } from 'node:zlib';

/** Values of a cell that can be distinguished: texts, numbers, booleans, and nothing. */
export type SheetValue = string | number | boolean | null;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/** The files of a zip archive, by its central directory, as a reader finds them. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('the archive has no end');
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the directory is broken');
    const isDeflated = archive.readUInt16LE(at + 10) === 8;
    const [packedSize, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)];
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place));
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

function cellOf(xml: string): SheetValue {
  if (xml === '<c/>') return null;
  const number = /^<c><v>([^<]+)<\/v><\/c>$/.exec(xml);
  if (number) return Number(number[1]);
  const flag = /^<c t="b"><v>([01])<\/v><\/c>$/.exec(xml);
  if (flag) return flag[1] === '1';
  const text = /^<c t="inlineStr"><is><t xml:space="preserve">([^<]*)<\/t><\/is><\/c>$/.exec(xml);
  if (text) return textOf(text[1]!);
  throw new Error(`not a cell: ${xml}`);
}

/** Rows of the first sheet of a workbook. */
export function readSheet(workbook: Buffer): SheetValue[][] {
  const xml = unzip(workbook).get('xl/worksheets/sheet1.xml') ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may stand in XML
  if (/[\x00-\x08\x0b-\x1f]/.test(xml)) throw new Error('the sheet is not XML');
  return [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, cells]) =>
    [...cells!.matchAll(/<c\/>|<c[ >].*?<\/c>/gs)].map(([cell]) => cellOf(cell)),
  );
}
