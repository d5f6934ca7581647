const GAP = '  ';

/** Words up to this length are kept whole where the width allows it: a UUID has 36 characters. */
const MAX_WORD = 40;
/** Text that people copy is never broken. */
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const MIN_COLUMN = 8;

type Row = readonly (string | number)[];

/**
 * Rows as aligned columns; the first row is the head. If they are too wide, an id that starts a row gets its own line;
 * if that is not enough, cells wrap, the widest column first. Ids stay whole.
 */
export function layOut([head = [], ...rows]: readonly Row[], maxWidth: number): string {
  const texts = [head, ...rows].map((row) => row.map(String));
  const isTooWide = totalOf(naturalWidths(texts)) > maxWidth;
  if (isTooWide && head.length > 1 && rows.every(([first]) => ID.test(String(first)))) {
    const below = [head, ...rows].map((row) => row.slice(1));
    const indented = columns(below, maxWidth - GAP.length);
    return texts.map(([id], row) => [id, ...indented[row]!.map((line) => GAP + line)].join('\n')).join('\n');
  }
  return columns([head, ...rows], maxWidth)
    .flat()
    .join('\n');
}

/** The lines of each row. */
function columns(rows: readonly Row[], maxWidth: number): string[][] {
  const texts = rows.map((row) => row.map(String));
  const widths = columnWidths(texts, maxWidth);
  const isNumber = widths.map((_, column) => typeof rows.at(-1)![column] === 'number');
  return texts.map((row) => {
    const cells = row.map((text, column) => wrap(text, widths[column]!));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, column) => padded(lines[line] ?? '', widths[column]!, isNumber[column]!))
        .join(GAP)
        .trimEnd(),
    );
  });
}

function padded(text: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isNumber ? space + text : text + space;
}

const naturalWidths = (texts: readonly (readonly string[])[]): number[] =>
  texts[0]!.map((_, column) => Math.max(...texts.map((row) => widthOf(row[column]!))));

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

function columnWidths(texts: readonly (readonly string[])[], maxWidth: number): number[] {
  const widths = naturalWidths(texts);
  for (const minimums of [narrowestByWord, narrowest])
    shrink(
      widths,
      maxWidth,
      widths.map((_, column) => minimums(texts.map((row) => row[column]!))),
    );
  return widths;
}

/** Takes the excess width from the widest columns, down to each column's minimum. */
function shrink(widths: number[], maxWidth: number, minimums: readonly number[]): void {
  const spare = (column: number): number => (widths[column]! > minimums[column]! ? widths[column]! : 0);
  for (let excess = totalOf(widths) - maxWidth; excess > 0; excess -= 1) {
    const widest = widths.reduce((best, _, column) => (spare(column) > spare(best) ? column : best), 0);
    if (spare(widest) === 0) return;
    widths[widest]! -= 1;
  }
}

const narrowestByWord = (cells: readonly string[]): number =>
  Math.max(...cells.flatMap((cell) => cell.split(' ')).map((word) => Math.min(widthOf(word), MAX_WORD)));
const narrowest = (cells: readonly string[]): number =>
  Math.max(...cells.map((cell) => (ID.test(cell) ? cell.length : Math.min(widthOf(cell), MIN_COLUMN))));

/** Lines of at most `width` columns; longer words are broken. */
export function wrap(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = broken(word, width);
    line = pieces.pop()!;
    lines.push(...pieces);
  }
  return [...lines, line];
}

function broken(word: string, width: number): string[] {
  const pieces = [''];
  for (const { segment } of GRAPHEMES.segment(word)) {
    const longer = pieces.at(-1)! + segment;
    if (widthOf(longer) <= width) pieces[pieces.length - 1] = longer;
    else pieces.push(segment);
  }
  return pieces;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Two columns: emoji, and the scripts of East Asia. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6])/u;

const widthOf = (text: string): number =>
  [...GRAPHEMES.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
